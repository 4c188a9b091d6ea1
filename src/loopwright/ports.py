"""The plug points: one small Protocol each. What implements them is picked in wire.py alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, runtime_checkable

from loopwright.records.budget import Usage
from loopwright.records.check import Check, Evidence
from loopwright.records.command import CommandResult
from loopwright.records.event import Event
from loopwright.records.lease import Lease
from loopwright.records.run import Acceptance, Attempt, Comment, Result, Run, Status, Step
from loopwright.records.trace import Trace


class Room(Protocol):
    """Where criteria look: a checkout of what the agent left, apart from where it worked.

    Every look and every command finds it as the commit has it: what an earlier command wrote is gone.
    """

    def path(self, relative: str) -> Path:
        """Give the place of a file in the tree; refuses one that leaves it, also through a link."""
        ...

    def files(self, pattern: str) -> Sequence[Path]:
        """Give the files that a path or a glob names, in order; none of them outside of the tree."""
        ...

    def run(self, command: str, *, shell: bool, timeout_s: float) -> CommandResult:
        """Run a command at the root of the tree, split into arguments unless a shell is asked for."""
        ...


@runtime_checkable
class Evaluable(Protocol):
    """A criterion (records.criterion.Criterion) that can look for itself."""

    def evaluate(self, room: Room) -> Evidence:
        """Say whether it holds in this room, and why."""
        ...


@dataclass(frozen=True)
class Briefing:
    """What an agent is given for one attempt."""

    prompt: str
    prompt_file: Path
    workspace: Path
    iteration: int
    model: str = ""


@dataclass(frozen=True)
class Launch:
    """How an agent's process is started."""

    argv: Sequence[str]
    environment: Mapping[str, str] = field(default_factory=dict)
    """On top of what every agent gets."""
    stdin: Path | None = None
    """Read from this file; nothing where it is None."""


@dataclass(frozen=True)
class Outcome:
    """How an agent's process ended, as far as the agent itself can tell. Never evidence of work."""

    is_error: bool
    detail: str = ""
    output: str = ""
    """Its last words."""
    usage: Usage = Usage()
    cost_usd: float = 0.0
    model: str = ""
    impossible: str = ""
    """Why it says that the criteria can't be met; empty where it does not say so."""


class Stream(Protocol):
    """An agent's output on its way to events; one for each attempt."""

    plain: bool
    """Whether lines that it does not know are words of the agent, and not lines that nothing understood."""

    def knows(self, line: bytes) -> bool:
        """Tell at a glance whether a line, or one of several, may be of the agent's protocol.

        Lines that are not are fed only up to a number, and the last of them.
        """
        ...

    def feed(self, line: str) -> Iterable[Event]:
        """Take one line of stdout, give what it tells. What it does not understand comes back as raw."""
        ...

    def usage(self) -> tuple[Usage, float]:
        """Give tokens and cost so far, for budgets that are kept while it runs."""
        ...

    def outcome(self, exit_code: int | None, stderr: str) -> Outcome:
        """Judge the end."""
        ...


@dataclass(frozen=True)
class Availability:
    """Whether an agent can be used here."""

    installed: bool
    version: str = ""
    hint: str = ""
    """What to do where it is not."""


class Agent(Protocol):
    """A program that works on a task: how it is started, how its stream is read, how its end is judged."""

    automatic: bool
    """Whether it may be picked when nobody named one."""

    def available(self) -> Availability: ...

    def launch(self, briefing: Briefing) -> Launch: ...

    def stream(self) -> Stream: ...


class Watcher(Protocol):
    """Somebody who looks on while a run works: a terminal, a log. It can't change anything."""

    def started(self, run: Run) -> None: ...

    def phase(self, run: Run, text: str) -> None:
        """Tell what begins now: preflight, iteration 2 of 12 …"""
        ...

    def event(self, run: Run, event: Event) -> None: ...

    def checked(self, run: Run, checks: Sequence[Check]) -> None: ...

    def ended(self, run: Run, result: Result) -> None: ...


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

    def add_checks(self, checks: Sequence[Check]) -> None: ...

    def add_comment(self, comment: Comment) -> None: ...

    def add_acceptance(self, acceptance: Acceptance) -> None: ...

    def acceptances(self, run_id: str) -> Sequence[Acceptance]: ...

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
