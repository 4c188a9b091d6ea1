"""A window of sessions is diagnosed from the store."""

from __future__ import annotations

import dataclasses
from pathlib import Path

from loopwright.cycle.diagnosing import Diagnosing
from loopwright.records.identity import new_id
from loopwright.records.profile import Profile
from loopwright.records.run import Reason, Run, Status, Step
from loopwright.records.signal import Signal
from loopwright.records.task import Task
from loopwright.registry import kinds
from loopwright.run.criteria.file import FileCriteria
from loopwright.store import Store, open_store

TASK = Task("Fix it", [FileCriteria("new")], "bug_fix")


def ran(store: Store, day: int, *types: str) -> str:
    """Write a run of a day down, with signals of some types."""
    at, places = f"2026-11-{day:02}T08:00:00.000Z", ("r", "b", "x", "w", "a")
    run = Run(new_id(), TASK, Profile(agent="codex"), *places, TASK.budget, at)
    store.add_run(run, Step(new_id(), run.id, 1, "Fix it"))
    store.save_run(dataclasses.replace(run, status=Status.FAILED, reason=Reason.CRITERIA_UNMET, ended_at=at))
    store.measured.add([Signal(new_id(), run.id, name, "low", f"{name} {run.id}", (1,), at) for name in types])
    return run.id


def test_the_patterns_of_a_window(tmp_path: Path) -> None:
    """Only sessions of the window count, the newest so many where there is a limit, and good news is no pattern."""
    with open_store(tmp_path / "store.sqlite", kinds) as store:
        first, second, third = (ran(store, day, "error_loop", "delight") for day in (1, 2, 3))
        ran(store, 4)
        diagnosing = Diagnosing(store.measured, store.outcomes, {"delight"})
        (whole,), sessions = diagnosing.patterns()
        assert (sessions, whole.sessions, whole.of, set(whole.runs)) == (4, 3, 4, {first, second, third})
        (later,), sessions = diagnosing.patterns("2026-11-02")
        assert (sessions, later.sessions, set(later.runs)) == (3, 2, {second, third})
        assert diagnosing.patterns(limit=2) == ([], 2)
        assert [one.key for one in diagnosing.patterns(limit=2, fewest=1)[0]] == ["error_loop"]
