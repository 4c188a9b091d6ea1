"""The plug points: one small Protocol each. What implements them is picked in wire.py alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Protocol, runtime_checkable

from loopwright.ports.agent import GOAL_ALONE as GOAL_ALONE
from loopwright.ports.agent import Account as Account
from loopwright.ports.agent import Agent as Agent
from loopwright.ports.agent import Availability as Availability
from loopwright.ports.agent import Briefing as Briefing
from loopwright.ports.agent import Launch as Launch
from loopwright.ports.agent import Outcome as Outcome
from loopwright.ports.agent import Stream as Stream
from loopwright.ports.registry import PromptRegistry as PromptRegistry
from loopwright.records.check import Check, Evidence
from loopwright.records.command import CommandResult
from loopwright.records.evaluation import Evaluation
from loopwright.records.event import Event
from loopwright.records.lease import Lease
from loopwright.records.question import Question, Reply, Shape
from loopwright.records.rubric import Rubric
from loopwright.records.run import Acceptance, Attempt, Comment, Result, Run, Status, Step
from loopwright.records.signal import Signal
from loopwright.records.trace import Trace


class Critic(Protocol):
    """Who has a view of a run, by a rubric."""

    @property
    def rubric_of(self) -> Callable[[str], Rubric]:
        """Reads the rubric of a task type, as it is now."""

    @property
    def rubric_files(self) -> Sequence[Path]:
        """Where rubrics of the project's own are: no agent may change them."""

    @property
    def answers(self) -> bool:
        """Whether there is somebody to answer a rubric's questions."""

    def critique(self, run: Run, diff: str, rubric: Rubric) -> Evaluation:
        """Judge a run by its record and by what it changed."""


class Model(Protocol):
    """What thinks: a question in, an instance of the wanted type out."""

    name: str
    """As the settings have it: two of one name give the same answers."""

    @property
    def priced_as(self) -> str:
        """Its name in the table of prices; empty where that is not known beforehand."""

    def ask(self, question: Question[Shape]) -> Reply[Shape]:
        """Ask, and once more where the answer does not fit; ModelError where there is none."""


class Room(Protocol):
    """Where criteria look: a checkout of what the agent left, apart from where it worked.

    Every look and every command finds it as the commit has it: what an earlier command wrote is gone.
    """

    model: Model | None
    """Who can be asked; None where nobody can."""

    def changes(self) -> str:
        """Give what the tree changes of the base, as a diff."""

    def path(self, relative: str) -> Path:
        """Give the place of a file in the tree; refuses one that leaves it, also through a link."""
        ...

    def files(self, pattern: str) -> Sequence[Path]:
        """Give the files that a path or a glob names, in order; none of them outside of the tree."""
        ...

    def run(self, command: str, *, shell: bool, timeout_s: float) -> CommandResult:
        """Run a command at the root of the tree, split into arguments unless a shell is asked for."""


@runtime_checkable
class Evaluable(Protocol):
    """A criterion (records.criterion.Criterion) that can look for itself."""

    def evaluate(self, room: Room) -> Evidence:
        """Say whether it holds in this room, and why."""


class Watcher(Protocol):
    """Somebody who looks on while a run works: a terminal, a log. It can't change anything."""

    def started(self, run: Run) -> None: ...

    def phase(self, run: Run, text: str) -> None:
        """Tell what begins now: preflight, iteration 2 of 12 …"""
        ...

    def event(self, run: Run, event: Event) -> None: ...

    def signal(self, run: Run, signal: Signal) -> None:
        """Tell of a signal that was found while it works: a new one, or one that has become worse."""
        ...

    def checked(self, run: Run, checks: Sequence[Check]) -> None: ...

    def ended(self, run: Run, result: Result) -> None: ...


class SignalWatch(Protocol):
    """What looks for signals in one run's events as they come."""

    @property
    def faults(self) -> Mapping[str, str]:
        """The detectors that went wrong, and how."""
        ...

    def see(self, events: Iterable[Event]) -> Sequence[Signal]:
        """Take the next events; give what they show, also what goes on that they have shown before."""
        ...


class LeaseStore(Protocol):
    """Where it is written who may work on a run."""

    def lease(self, run_id: str) -> Lease: ...

    def take(self, seen: Lease, holder: str) -> Lease | None:
        """Take a run over; None where its lease is not any more what was seen."""
        ...

    def renew(self, lease: Lease) -> bool:
        """Show that the holder is alive; False where it was taken over."""
        ...

    def release(self, lease: Lease) -> None: ...


class RunStore(LeaseStore, Protocol):
    """Where runs are written and read back. A run can be resumed from it alone."""

    def under(self, lease: Lease) -> RunStore:
        """Give the same store with every write checked against a lease."""
        ...

    def add_run(self, run: Run, step: Step, holder: str = "") -> Lease: ...

    def save_run(self, run: Run) -> None: ...

    def save_attempt(self, attempt: Attempt) -> None:
        """Write an attempt: once when it starts and once when it has ended."""
        ...

    def append_events(self, run_id: str, events: Sequence[Event]) -> None: ...

    def add_signals(self, found: Sequence[Signal]) -> None:
        """Write signals, over what was there of them."""
        ...

    def add_checks(self, checks: Sequence[Check]) -> None: ...

    def add_comment(self, comment: Comment) -> None: ...

    def add_acceptance(self, acceptance: Acceptance) -> None: ...

    def acceptances(self, run_id: str) -> Sequence[Acceptance]: ...

    def add_evaluation(self, evaluation: Evaluation) -> None: ...

    def evaluations(self, run_id: str) -> Sequence[Evaluation]: ...

    def run(self, run_id: str) -> Run: ...

    def runs(self, limit: int | None = None, status: Status | None = None) -> Sequence[Run]:
        """The newest first."""
        ...

    def traces(self) -> Sequence[Trace]:
        """Where the files of all runs are."""
        ...

    def spent_since(self, moment: str) -> float:
        """US dollars that the attempts of all runs have cost that began at a moment or later."""
        ...

    def step(self, run_id: str) -> Step: ...

    def attempts(self, run_id: str) -> Sequence[Attempt]: ...

    def checks(self, run_id: str) -> Sequence[Check]: ...

    def comments(self, run_id: str) -> Sequence[Comment]: ...

    def last_seq(self, run_id: str) -> int:
        """The number of the newest event; 0 where there is none."""
        ...
