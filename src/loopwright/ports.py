"""The plug points: one small Protocol each. What implements them is picked in wire.py alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, runtime_checkable

from loopwright.records.budget import Usage
from loopwright.records.check import Check, Evidence
from loopwright.records.command import CommandResult
from loopwright.records.criterion import Criterion
from loopwright.records.evaluation import Evaluation
from loopwright.records.event import Event
from loopwright.records.lease import Lease
from loopwright.records.profile import Profile
from loopwright.records.question import Question, Reply, Shape
from loopwright.records.run import Acceptance, Attempt, Comment, Ending, Result, Role, Run, Status, Step
from loopwright.records.signal import Signal
from loopwright.records.task import Task
from loopwright.records.trace import Trace


class Critic(Protocol):
    """Who has a view of a run, by a rubric."""

    def criteria(self, task: Task) -> Sequence[Criterion]:
        """Name what has to be looked at in the checkroom for that, besides the task's own criteria."""

    def critique(self, run: Run, diff: str) -> Evaluation:
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


@dataclass(frozen=True)
class Briefing:
    """What an agent is given for one attempt."""

    prompt: str
    prompt_file: Path
    workspace: Path
    iteration: int
    profile: Profile = field(default_factory=Profile)
    conversation: str = ""
    """The one to go on with, as an outcome has named it; empty: a new one."""
    used: Usage = Usage()
    """What that conversation has used so far: some agents count it once more."""
    confined: bool = False
    """Whether our sandbox is around it, and none of its own is needed."""
    role: Role = "worker"


@dataclass(frozen=True)
class Launch:
    """How an agent's process is started, and what it needs of the machine."""

    argv: Sequence[str]
    environment: Mapping[str, str] = field(default_factory=dict)
    """On top of what every agent gets."""
    stdin: Path | None = None
    """Read from this file; nothing where it is None."""
    files: Mapping[str, str] = field(default_factory=dict)
    """Written into the workspace before it starts, by path; none of our commits holds them."""
    hosts: Sequence[str] = ()
    """Whom it has to reach, such as `api.anthropic.com` or `127.0.0.1:8080`; more by setting."""
    variables: Sequence[str] = ()
    """Patterns of the variables that it needs of the user's own, in a sandbox, such as `ANTHROPIC_*`."""
    login: Sequence[str] = ()
    """Files below the user's home that it needs to be logged in, and its settings."""
    login_places: Mapping[str, Path] = field(default_factory=dict)
    """Where one of these lies instead, by its name."""


@dataclass(frozen=True)
class Outcome:
    """How an agent's process ended, as far as the agent itself can tell. Never evidence of work."""

    ending: Ending = Ending.FINISHED
    """FINISHED, ERROR, UNAVAILABLE, NO_ACCESS, DENIED, REFUSED or MAX_TURNS."""
    detail: str = ""
    output: str = ""
    """Its last words."""
    usage: Usage = Usage()
    cost_usd: float = 0.0
    model: str = ""
    version: str = ""
    """Of the agent, where its stream says it."""
    conversation: str = ""
    """What it calls the conversation, where it can go on with it."""
    over_limit: bool = False
    """Whether the conversation has become too long to go on with."""
    retry_at: str = ""
    """When it may come back, where it was told."""
    impossible: str = ""
    """Why it says that the criteria can't be met; empty where it does not say so."""


class Stream(Protocol):
    """An agent's output on its way to events; one for each attempt."""

    plain: bool
    """Whether lines that it does not know are words of the agent, and not lines that nothing understood."""

    def knows(self, line: bytes) -> bool:
        """Tell at a glance whether a line may be of the agent's protocol: of those that are not, few are fed."""
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
    hint: str = ""
    """What to do where it is not, or is not logged in."""
    logged_in: bool | None = None
    """As files and variables tell; None where they do not. False only where it is sure: no run is begun then."""


@dataclass(frozen=True)
class Account:
    """What an installed agent tells of itself when it is asked."""

    version: str = ""
    logged_in: bool | None = None
    """None where that can't be known without asking its maker."""
    detail: str = ""
    """How it is logged in, without any secret."""
    hint: str = ""
    """What to do: it is too old, or not logged in."""
    usable: bool = True
    """False where no attempt could come to anything."""


class Agent(Protocol):
    """A program that works on a task: how it is started, how its stream is read, how its end is judged."""

    automatic: bool
    """Whether it may be picked when nobody named one."""
    honours: frozenset[str]
    """What of a profile it has a way to be told, besides what is said in the prompt."""
    needs: frozenset[str]
    """What of a profile it can't do without."""

    def available(self) -> Availability:
        """Look whether it is there; nothing is started."""
        ...

    def account(self) -> Account:
        """Ask it for its version, and look how it is logged in; it is started for that."""
        ...

    def launch(self, briefing: Briefing) -> Launch: ...

    def stream(self, briefing: Briefing) -> Stream: ...


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
