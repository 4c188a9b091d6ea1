"""What another holder left of a run -> a run that nobody else is at work on, wherever that holder is by now."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path

from loopwright.errors import BusyError
from loopwright.ports import RunStore
from loopwright.process.identity import alive, end, number
from loopwright.process.marked import end_marked
from loopwright.records.identity import short, timestamp
from loopwright.records.lease import Lease
from loopwright.records.run import Attempt, Ending, Run
from loopwright.run.agent_run import ATTEMPT
from loopwright.run.git import Repository
from loopwright.run.hold import is_gone
from loopwright.run.workspace import ENDING_S, Workspace, remove


def end_agents(run: Run, store: RunStore) -> None:
    """End the agents that the store says are at work on a run: no second one starts before."""
    for attempt in store.attempts(run.id):
        # On another machine it works on a clone of its own, and its holder ends it when it finds itself refused.
        if attempt.ending is not None or not attempt.process or alive(attempt.process) is None:
            continue
        end(attempt.process, ENDING_S)
        end_marked(ATTEMPT, attempt.id)  # who got away from the process that was to keep it, or does not end
        if alive(attempt.process):
            said = f"the agent of run `{short(run.id)}` does not end (process {number(attempt.process)})"
            raise BusyError(said, f"end it by hand: kill -9 {number(attempt.process)}")


def end_lost(attempts: Sequence[Attempt], commit: str | None, store: RunStore) -> list[Attempt]:
    """Write down that attempts are over which were under way when somebody died; what they left is in the commit."""
    told = {"process": "", "ended_at": timestamp(), "detail": "Loopwright ended while it ran", "commit": commit}
    ended = [
        dataclasses.replace(attempt, ending=Ending.LOST, **told) if attempt.ending is None else attempt  # type: ignore[arg-type]
        for attempt in attempts
    ]
    for before, after in zip(attempts, ended, strict=True):
        if before is not after:
            store.save_attempt(after)
    return ended


def out_of_reach(run: Run, before: Lease, ours: Lease, store: RunStore, repository: Repository) -> Run:
    """Move a run's clone to where its last holder does not look for it, should it be alive and go on where it was."""
    folder = Path(run.workspace)
    if is_gone(before) is False and folder.is_dir():
        run = dataclasses.replace(run, workspace=str(folder.with_name(f"{run.id}.{ours.token}")))
        store.save_run(run)
    for left in [left for left in folder.parent.glob(f"{run.id}*") if left != Path(run.workspace)]:
        aside = left.with_name(f"{run.id}.aside.{ours.token}")
        left.rename(aside)
        Workspace(repository, aside, run.id, run.branch).bring_home(run.base)
        remove(aside)
    return run
