"""A record and a run's id -> all that is shown of it, with as few events read as that takes."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path

from loopwright.errors import UnknownName
from loopwright.export import counting
from loopwright.export.analysis import Analysis
from loopwright.records.bundle import Bundle
from loopwright.records.run import Run, Status
from loopwright.records.signal import Signal
from loopwright.text.agent_habits import habits
from loopwright.wire import Record, make_measuring

_MOST_EVENTS = 100_000
"""More are not gone through to see how an agent works."""
_LONGEST_DIFF = 5_000_000


def found(record: Record, name: str) -> Run:
    """Give the run that a person means, as it is now."""
    return record.up_to_date([record.store.run(record.store.find(name))])[0]


def whole(record: Record, run_id: str, *, events: bool = True) -> Bundle:
    """Give a run with all that belongs to it, and its diff."""
    bundle = record.store.recorded.bundle(run_id, events=events)
    return dataclasses.replace(bundle, diff=_diff(bundle.run), signals=_signals(record, bundle))


def analysed(record: Record, run_id: str, *, events: bool = False) -> Analysis:
    """Sum a run up; with `events`, it has them."""
    recorded = record.store.recorded
    bundle = whole(record, run_id, events=events)
    few = sum(rollup.events for rollup in bundle.rollups) <= _MOST_EVENTS
    return Analysis(bundle, recorded.errors(run_id), habits(recorded.actions(run_id)) if few else None)


def step_of(record: Record, run_id: str, number: int) -> Analysis:
    """Sum up one step of a run."""
    bundle = record.store.recorded.bundle(run_id)
    known = [str(step.number) for step in bundle.steps]
    if str(number) not in known:
        raise UnknownName("step", str(number), known)
    part = bundle.of_step(number) if len(known) > 1 else bundle
    part = dataclasses.replace(part, rollups=counting.rollups(part.events))
    return Analysis(part, counting.errors(part.events), habits(part.events))


def _signals(record: Record, bundle: Bundle) -> Sequence[Signal]:
    """Give what was found in a run; one that nobody has looked at yet is looked at, unless that takes long."""
    run = bundle.run
    few = sum(rollup.events for rollup in bundle.rollups) <= _MOST_EVENTS
    if few and run.status not in (Status.RUNNING, Status.QUEUED):
        make_measuring(record).measure([run.id])
    return record.store.measured.signals([run.id])


def _diff(run: Run) -> str:
    path = Path(run.artifacts) / "changes.diff"
    if not run.artifacts or not path.is_file():
        return ""
    with path.open(encoding="utf-8", errors="replace") as file:
        return file.read(_LONGEST_DIFF)
