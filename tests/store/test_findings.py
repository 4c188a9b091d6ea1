"""Findings and sightings in their tables."""

from __future__ import annotations

import pytest

from loopwright.errors import UnknownName, UsageError
from loopwright.records.finding import Change, Finding, Sighting
from loopwright.store import Store


def seen(key: str, at: str, change: Change = "new", sessions: int = 3, before: float | None = None) -> Sighting:
    finding = Finding(key, "cost", "r", f"a \0 {key}", "d", sessions, 10, 0.5, runs=("a", "b"), cause="novel")
    return Sighting(finding, at, change, before, "2026-01")


def test_what_is_written_is_read_back(store: Store) -> None:
    """All of it, also signs that a database does not take; written twice it is there once, the later counts."""
    store.findings.add([seen("a/b", "2026-01"), seen("c", "2026-01")])
    store.findings.add([seen("a/b", "2026-01", sessions=4)])
    (read,) = store.findings.history("a/b")
    assert read.finding.title == "a \0 a/b"
    assert (read.finding.sessions, read.finding.runs, read.finding.cause) == (4, ("a", "b"), "novel")
    assert (read.at, read.change, read.before, read.first_at) == ("2026-01", "new", None, "2026-01")
    assert set(store.findings.latest()) == {"a/b", "c"}


def test_the_latest_and_what_the_next_is_held_against(store: Store) -> None:
    """The last sighting, and the last that said more than `same`, whatever the order in which they came."""
    story: list[tuple[str, Change, int]] = [("2026-03", "same", 6), ("2026-02", "worse", 7), ("2026-01", "new", 3)]
    for at, change, sessions in story:
        store.findings.add([seen("a", at, change, sessions, 0.3)])
    assert store.findings.latest()["a"].at == "2026-03"
    assert (store.findings.references()["a"].at, store.findings.references()["a"].finding.sessions) == ("2026-02", 7)
    assert [one.at for one in store.findings.history("a")] == ["2026-01", "2026-02", "2026-03"]
    assert store.findings.history("b") == []


def test_the_finding_that_a_person_means(store: Store) -> None:
    """Its key, or a part that only one has."""
    store.findings.add([seen(key, "2026-01") for key in ("first_pass/docs", "first_pass/docs_more", "escalated/docs")])
    assert store.findings.key_of("first_pass/docs") == "first_pass/docs"
    assert store.findings.key_of("escal") == "escalated/docs"
    with pytest.raises(UsageError, match="more than one finding"):
        store.findings.key_of("docs")
    for name in ("nothing", " "):
        with pytest.raises(UnknownName, match="there is no finding"):
            store.findings.key_of(name)
