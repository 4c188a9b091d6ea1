"""A store with runs that go wrong, and what makes patches of it."""

from __future__ import annotations

import dataclasses
from typing import Any

from loopwright.cycle.deploying import Deploying
from loopwright.cycle.diagnosing import Diagnosing
from loopwright.cycle.gathering import Gathering
from loopwright.cycle.patching import Patching
from loopwright.guard.guardrails import Autonomy
from loopwright.records.budget import Spent
from loopwright.records.identity import new_id
from loopwright.records.profile import Profile
from loopwright.records.run import Reason, Run, Status, Step
from loopwright.records.signal import Signal
from loopwright.records.task import Task
from loopwright.release.learned import Library
from loopwright.run.criteria.file import FileCriteria
from loopwright.store import Store
from trials import TYPE, proving_on

TARGET = f"worker/{TYPE}"
AT = "2026-11-16T08:00:00.000Z"


def ran(store: Store, *types: str, task_type: str = TYPE, status: Status = Status.FAILED) -> str:
    """Write a run down that has ended, with signals of some types."""
    task = Task("Do it", [FileCriteria("new")], task_type)  # type: ignore[arg-type]
    run = Run(new_id(), task, Profile(agent="codex"), *("r", "b", "x", "w", "a"), task.budget, AT)
    store.add_run(run, Step(new_id(), run.id, 1, "Do it"))
    run = dataclasses.replace(run, status=status, reason=Reason.CRITERIA_UNMET, ended_at=AT, spent=Spent(1))
    store.save_run(run)
    store.measured.add([Signal(new_id(), run.id, name, "low", f"{name} {run.id}", (1,), AT) for name in types])
    return run.id


def patching_on(store: Store, autonomy: Autonomy = "suggest", **changes: Any) -> Patching:
    proving = proving_on(store, autonomy)
    library = Library(proving.versions)
    gathering = Gathering(store.measured, store.outcomes, store.windows, proving.versions)
    return Patching(store.patches, proving, library, Diagnosing(gathering, store.findings), **changes)


def deploying_on(patching: Patching) -> Deploying:
    return Deploying(patching.patches, patching.proving, patching.library)
