"""How often entries helped or harmed."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path

import pytest

from loopwright.cycle.crediting import Crediting
from loopwright.guard.guardrails import Autonomy
from loopwright.records.library import Entry
from loopwright.registry import kinds
from loopwright.release.learned import Library
from loopwright.store import Store, open_store
from trials import BETTER, TYPE, begin, live_pairs, proving_on

WORSE = [(True, False)] * 60
NAME = "read-once"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "store.sqlite", kinds) as opened:
        yield opened


def crediting_on(store: Store, autonomy: Autonomy = "suggest") -> Crediting:
    proving = proving_on(store, autonomy)
    return Crediting(proving, Library(proving.versions))


def compare(crediting: Crediting, outcomes: list[tuple[bool, bool]], title: str = f"{NAME}@1") -> str:
    """Tell an entry to half of the tasks until that is decided; give how it ended."""
    begun = begin(crediting.proving, parameter="library", treatment=title, minimum=30, maximum=60)
    for pair in outcomes:
        if crediting.proving.experiments.get(begun.id)[0].status != "running":
            break
        live_pairs(crediting.proving, [pair])
    return crediting.proving.experiments.get(begun.id)[0].status


def entry(crediting: Crediting, name: str = NAME) -> Entry:
    return next(found for found, _ in crediting.entries() if found.name == name)


def test_what_is_proven_helped(store: Store) -> None:
    """A proven entry has helped once, and once more is not counted when it is released; taken back, it harmed."""
    crediting = crediting_on(store)
    assert compare(crediting, BETTER) == "proven"
    assert (entry(crediting).helpful, entry(crediting).harmful) == (1, 0)
    found = crediting.proving.experiments.all("proven")[0][0]
    crediting.proving.release(found.id, "ada")
    assert crediting.library.titles(f"worker/{TYPE}") == [f"{NAME}@1"]
    assert entry(crediting).helpful == 1
    crediting.library.versions.roll_back("profile", f"worker/{TYPE}", "watch", "it fell")
    assert (entry(crediting).helpful, entry(crediting).harmful) == (1, 1)
    assert entry(crediting, "edge-cases").helpful == 0


def test_harm_retires(store: Store) -> None:
    """An entry that harmed twice is proposed to be retired, and a rule does so where it may; other words begin anew."""
    crediting = crediting_on(store)
    for _ in range(2):
        assert crediting.retire() == []
        assert compare(crediting, WORSE) == "no_difference"
    assert entry(crediting).harmful == 2
    (proposed,) = crediting.retire()
    assert (proposed.done, entry(crediting).status) == (False, "active")
    allowed = crediting_on(store, "auto_low_risk")
    (done,) = allowed.retire()
    assert (done.done, entry(allowed).status) == (True, "retired")
    assert allowed.retire() == []
    fresh = dataclasses.replace(entry(allowed), remedy="Read it once.", status="active")
    allowed.library.write(fresh, "better words", "ada")
    assert entry(allowed).harmful == 0


def test_who_is_told_it_is_asked(store: Store) -> None:
    """What somebody is told is not retired by a rule: a human is asked, and hears who is told it."""
    crediting = crediting_on(store, "auto_low_risk")
    for _ in range(2):
        compare(crediting, WORSE)
    crediting.library.tell(NAME, "worker/chore", "ada", "x")
    (proposed,) = crediting.retire()
    assert not proposed.done
    assert "worker/chore" in proposed.why
