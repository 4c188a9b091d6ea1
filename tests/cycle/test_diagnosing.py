"""A window of sessions is diagnosed from the store."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest

from loopwright.cycle.diagnosing import Diagnosing, Found
from loopwright.cycle.gathering import Gathering
from loopwright.diagnose.adding import Adding
from loopwright.guard.redact import Masker
from loopwright.models.scripted import Scripted
from loopwright.records.finding import Sighting
from loopwright.records.identity import new_id
from loopwright.records.profile import Profile
from loopwright.records.run import Reason, Run, Status, Step
from loopwright.records.signal import Signal
from loopwright.records.task import Task
from loopwright.registry import kinds
from loopwright.release.versions import Versions
from loopwright.run.criteria.file import FileCriteria
from loopwright.store import Store, open_store

SILENT = '{"answers": [{"answer": {"findings": []}, "cost_usd": 0.02}]}'
TASK = Task("Fix it", [FileCriteria("new")], "bug_fix")


def ran(store: Store, day: int, *types: str) -> str:
    """Write a run of a day down, with signals of some types."""
    at, places = f"2026-11-{day:02}T08:00:00.000Z", ("r", "b", "x", "w", "a")
    run = Run(new_id(), TASK, Profile(agent="codex"), *places, TASK.budget, at)
    store.add_run(run, Step(new_id(), run.id, 1, "Fix it"))
    store.save_run(dataclasses.replace(run, status=Status.FAILED, reason=Reason.CRITERIA_UNMET, ended_at=at))
    store.measured.add([Signal(new_id(), run.id, name, "low", f"{name} {run.id}", (1,), at) for name in types])
    return run.id


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "store.sqlite", kinds) as opened:
        yield opened


def made(store: Store, adding: Adding | None = None) -> Diagnosing:
    """Put it together; each look has a minute of its own."""
    versions = Versions(store.versions, Masker({}))
    minutes = itertools.count()
    gathering = Gathering(store.measured, store.outcomes, store.windows, versions, {"delight"})
    return Diagnosing(gathering, store.findings, adding, lambda: f"2026-12-01T00:{next(minutes):02}:00.000Z")


def loops(found: Found) -> list[Sighting]:
    """Leave out that none of the runs passes."""
    return [one for one in found.sightings if one.finding.rule == "recurring"]


def test_the_patterns_of_a_window(store: Store) -> None:
    """Only sessions of the window count, the newest so many where there is a limit, and good news is no pattern."""
    first, second, third = (ran(store, day, "error_loop", "delight") for day in (1, 2, 3))
    ran(store, 4)
    diagnosing = made(store)
    (whole,), sessions = diagnosing.patterns()
    assert (sessions, whole.sessions, whole.of, set(whole.runs)) == (4, 3, 4, {first, second, third})
    (later,), sessions = diagnosing.patterns("2026-11-02")
    assert (sessions, later.sessions, set(later.runs)) == (3, 2, {second, third})
    assert diagnosing.patterns(limit=2) == ([], 2)
    assert [one.key for one in diagnosing.patterns(limit=2, fewest=1)[0]] == ["error_loop"]


def test_findings_over_time(store: Store) -> None:
    """New, the same for who looks again, worse on evidence with the old rate beside it, and gone in the end."""
    for day in range(1, 13):
        ran(store, day, *(["error_loop"] if day <= 4 else []))
    diagnosing = made(store)
    first = diagnosing.findings()
    (seen,) = loops(first)
    assert (seen.finding.key, seen.change, seen.finding.sessions, first.sessions) == (
        *("recurring/error_loop/bug_fix", "new"),
        *(4, 12),
    )
    assert diagnosing.findings().sightings == first.sightings
    assert len(store.findings.history(seen.finding.key)) == 1
    for _ in range(12):
        ran(store, 14, "error_loop")
    (worse,) = loops(diagnosing.findings("2026-11-14"))
    assert (worse.change, worse.before, worse.finding.rate, worse.first_at) == ("worse", 0.3333, 1.0, seen.at)
    for _ in range(12):
        ran(store, 16)
    (gone,) = loops(diagnosing.findings("2026-11-16"))
    assert (gone.change, gone.before, gone.finding.sessions, gone.finding.of) == ("gone", 1.0, 0, 12)
    assert loops(diagnosing.findings("2026-11-16")) == []
    assert [one.change for one in store.findings.history(seen.finding.key)] == ["new", "worse", "gone"]


def test_a_slow_change_is_seen_in_the_end(store: Store) -> None:
    """Each look is held against the last one that said more than `same`, so that small steps add up."""
    for day in range(1, 11):
        ran(store, day, *(["error_loop"] if day <= 3 else []))
    diagnosing = made(store)
    changes = [loops(diagnosing.findings())[0].change]
    for _ in range(12):
        for _ in range(3):
            ran(store, 20)
        changes.append(loops(diagnosing.findings())[0].change)
    assert changes[0] == "new"
    assert set(changes[1:4]) == {"same"}
    assert "better" in changes


def test_a_window_without_sessions(store: Store) -> None:
    """Nothing was looked at, so nothing is found, and nothing is gone."""
    for day in range(1, 6):
        ran(store, day, "error_loop")
    diagnosing = made(store)
    assert len(loops(diagnosing.findings())) == 1
    empty = diagnosing.findings("2027-01-01")
    assert (empty.sightings, empty.sessions) == ([], 0)
    assert [one.change for one in store.findings.latest().values()] == ["new"]


def test_a_model_is_asked_only_where_it_is_given(store: Store, tmp_path: Path) -> None:
    """What it took is told."""
    for day in range(1, 6):
        ran(store, day, "error_loop")
    (tmp_path / "script.json").write_text(SILENT)
    scripted = Scripted(str(tmp_path / "script.json"))
    assert made(store).findings().cost_usd == 0.0
    assert made(store, Adding(scripted)).findings().cost_usd == 0.02
    assert "recurring/error_loop/bug_fix" in scripted.questions[0]
