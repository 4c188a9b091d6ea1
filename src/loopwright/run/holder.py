"""A run's id -> the run for ourselves: its lease, its clone, and nobody else at work on it."""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from loopwright.errors import AgentError, LeaseLost, LoopwrightError, StoreError
from loopwright.ports import RunStore
from loopwright.records.identity import timestamp
from loopwright.records.lease import Lease
from loopwright.records.run import Reason, Run, Status
from loopwright.run.git import Repository
from loopwright.run.hold import SILENCE_S, Stop, kept, take
from loopwright.run.takeover import end_agents, out_of_reach
from loopwright.run.workspace import Workspace


@dataclass(frozen=True)
class Held:
    """A run that is ours."""

    store: RunStore
    """Refuses what we write once somebody else has taken the run over."""
    workspace: Workspace
    stop: Stop


@dataclass(frozen=True)
class Holder:
    """Takes runs of one repository."""

    store: RunStore
    repository: Repository
    bring: tuple[str, ...]
    cancel: threading.Event
    silence_s: float = SILENCE_S

    @contextmanager
    def taken(self, run_id: str, *, wait: bool = True) -> Iterator[Held]:
        """Take a run; without `wait`, one that may be at work is not watched until that is certain."""
        before, ours = take(self.store, run_id, wait=wait, silence_s=self.silence_s)
        with self.keeping(ours, before) as held:
            yield held

    @contextmanager
    def keeping(self, ours: Lease, before: Lease | None = None) -> Iterator[Held]:
        """Keep a run that was taken, and see to it that whoever had it before can't be in the way."""
        store, stop = self.store.under(ours), Stop(self.cancel)
        with kept(self.store, ours, stop), _left_cleanly(store, ours.run_id):
            run = store.run(ours.run_id)
            if before is not None:
                end_agents(run, store)
                run = out_of_reach(run, before, ours, store, self.repository)
            workspace = Workspace(self.repository, Path(run.workspace), run.id, run.branch, self.bring)
            with workspace.occupied(), _brought_home(store, workspace, run):
                yield Held(store, workspace, stop)


def cancelled(store: RunStore, run: Run, detail: str, reason: Reason = Reason.CRITERIA_UNMET) -> Run:
    """Write down that a run was cut short."""
    run = dataclasses.replace(run, status=Status.CANCELLED, reason=reason, detail=detail, ended_at=timestamp())
    store.save_run(run)
    return run


@contextmanager
def _left_cleanly(store: RunStore, run_id: str) -> Iterator[None]:
    """Whatever goes wrong, nobody is at work any more."""
    try:
        yield
    except BaseException as error:
        reason = Reason.AGENT_FAILED if isinstance(error, AgentError) else Reason.CRITERIA_UNMET
        try:
            run = store.run(run_id)
            if run.status is Status.RUNNING:
                cancelled(store, run, str(error) or type(error).__name__, reason)
        except LeaseLost as lost:
            raise lost from error
        except LoopwrightError:
            pass
        raise


@contextmanager
def _brought_home(store: RunStore, workspace: Workspace, run: Run) -> Iterator[None]:
    """Whatever goes wrong, the work is on the branch; where that fails too, it is brought there when it is taken up."""
    try:
        yield
    except LeaseLost:
        raise
    except BaseException:
        with suppress(LoopwrightError, OSError):
            _still_ours(store, run)
            if commit := workspace.bring_home(run.base):
                store.save_run(dataclasses.replace(store.run(run.id), commit=commit))
        raise


def _still_ours(store: RunStore, run: Run) -> None:
    try:
        store.save_run(store.run(run.id))
    except LeaseLost:
        raise
    except StoreError:
        pass  # it is gone: nobody can have taken the run from us in it
