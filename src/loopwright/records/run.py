"""One execution of a task: the run, its steps, its attempts, and how it ended."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from loopwright.records.budget import Budget, Spent, Usage
from loopwright.records.check import Check
from loopwright.records.environment import Environment
from loopwright.records.profile import Profile, Role
from loopwright.records.task import Task


class Status(StrEnum):
    """Where a run is. It ends in done or escalated (failed, where nobody wants to be asked); cancelled can go on."""

    QUEUED = "queued"
    """Written down, and not begun."""
    RUNNING = "running"
    DONE = "done"
    ESCALATED = "escalated"
    FAILED = "failed"
    CANCELLED = "cancelled"
    OBSERVED = "observed"
    """It ran elsewhere, and was brought in from the agent's own record: nobody judged it here."""


class Reason(StrEnum):
    """Why it ended."""

    CRITERIA_MET = "criteria_met"
    ALREADY_MET = "already_met"
    CRITERIA_UNMET = "criteria_unmet"
    """The iterations are used up, or the run was interrupted."""
    BUDGET = "budget"
    """Money, tokens or time ran out."""
    STALLED = "stalled"
    TAINTED = "tainted"
    UNVERIFIABLE = "unverifiable"
    AGENT_FAILED = "agent_failed"
    """It could not be started, or went wrong again and again."""
    UNAVAILABLE = "unavailable"
    """The model is over its limit or out of order for longer than we wait."""
    NO_ACCESS = "no_access"
    """The agent is not logged in, its key is wrong, or there is no credit."""
    DENIED = "denied"
    """The agent's own permissions kept it from working, again and again."""
    REFUSED = "refused"
    """The model does not want to, again and again."""
    MAX_TURNS = "max_turns"
    """The agent's turns were too few, again and again."""
    IMPOSSIBLE = "impossible"
    REJECTED = "rejected"
    """All criteria hold, and the critic that the task made a gate does not let the work pass."""


SHOW_NOTHING = (Reason.ALREADY_MET, Reason.UNVERIFIABLE, Reason.UNAVAILABLE, Reason.NO_ACCESS)
"""Ends that say nothing of who worked: there was nothing to do, nobody could tell, nobody could be asked."""


def because(status: Status, reason: Reason | None) -> str:
    """Say in brackets why a run ended; nothing where there is no more to say: who was interrupted has not failed."""
    interrupted = status is Status.CANCELLED and reason is Reason.CRITERIA_UNMET
    return f" ({reason})" if reason and not interrupted else ""


class Ending(StrEnum):
    """How an attempt ended, as seen by us and not as told by the agent."""

    FINISHED = "finished"
    ERROR = "error"
    """The agent said that it failed, or left with a non-zero exit code."""
    UNAVAILABLE = "unavailable"
    """The model is over its limit or out of order; it has to come back later."""
    NO_ACCESS = "no_access"
    """It is not logged in, its key is wrong, or there is no credit."""
    DENIED = "denied"
    """Tool calls were denied by the agent's own permissions; it may have gone on without."""
    REFUSED = "refused"
    MAX_TURNS = "max_turns"
    IDLE = "idle"
    LOOP = "loop"
    """It failed at the same again and again, and was ended."""
    BUDGET = "budget"
    CANCELLED = "cancelled"
    LOST = "lost"
    """We died while it ran."""


LATER = (Ending.UNAVAILABLE, Ending.NO_ACCESS)
"""The model could not be asked: such an attempt is none of the run's iterations."""


@dataclass(frozen=True)
class Step:
    """One item of a run's plan. A plain loop has one."""

    id: str
    run_id: str
    number: int = 1
    title: str = ""


@dataclass(frozen=True)
class Attempt:
    """One go of an agent at a step. Written when it starts and again when it has ended."""

    id: str
    run_id: str
    step_id: str
    number: int
    started_at: str
    process: str = ""
    """Who keeps the agent, as process/identity.py writes it; empty when nobody does."""
    ended_at: str | None = None
    ending: Ending | None = None
    exit_code: int | None = None
    detail: str = ""
    """Why it ended so, in words."""
    output: str = ""
    """The agent's last words, cut."""
    cost_usd: float = 0.0
    tokens: Usage = Usage()
    duration_s: float = 0.0
    commit: str | None = None
    """What it left, as a commit on the run's branch."""
    tree: str | None = None
    files_changed: str = ""
    """In words, such as `2 files changed, 10 insertions(+)`."""
    unknown_lines: int = 0
    masked: int = 0
    """How many secrets were masked in what the agent printed."""
    conversation: str = ""
    """What the agent calls it; it can go on there."""
    role: Role = "worker"
    environment: Environment = field(default_factory=Environment)

    @property
    def counts(self) -> bool:
        """Whether it is one of the run's iterations."""
        return self.role == "worker" and self.ending not in LATER


LANDED = "landed: "
"""So begins the reason why a run is closed whose work was put on a branch."""


@dataclass(frozen=True)
class Run:
    """One execution of a task."""

    id: str
    task: Task
    profile: Profile
    repository: str
    base: str
    """The commit, resolved."""
    branch: str
    workspace: str
    """The folder of its clones."""
    artifacts: str
    """The folder of what it leaves behind."""
    budget: Budget
    """The limits as extended by a human."""
    started_at: str
    status: Status = Status.RUNNING
    reason: Reason | None = None
    detail: str = ""
    ended_at: str | None = None
    commit: str | None = None
    spent: Spent = Spent()
    closed_at: str | None = None
    closed_reason: str = ""
    source: str = ""
    """The format of the record from which it was brought in; empty where Loopwright ran it."""
    prompt_version: str = ""
    """Which version of the prompt it had, or its hash, as far as the record says."""

    @property
    def landed(self) -> str:
        """Where its work was put; empty where it was not."""
        return self.closed_reason.removeprefix(LANDED) if self.closed_reason.startswith(LANDED) else ""

    @property
    def passed(self) -> bool | None:
        """Whether its criteria were met; None where it has no end, or was cut short and may go on."""
        return {Status.DONE: True, Status.ESCALATED: False, Status.FAILED: False}.get(self.status)

    @property
    def shows_nothing(self) -> bool:
        """Whether how it ended says nothing of who worked."""
        return self.reason in SHOW_NOTHING

    @property
    def waits(self) -> bool:
        """Whether it waits for a human."""
        return self.status is Status.ESCALATED and not self.closed_at


@dataclass(frozen=True)
class Comment:
    """A human's word on a run: the next instruction."""

    id: str
    run_id: str
    at: str
    text: str


@dataclass(frozen=True)
class Acceptance:
    """A human's word that changes of protected paths are right as they are."""

    id: str
    run_id: str
    at: str
    by: str
    reason: str
    contents: Mapping[str, str]
    """Path -> the hash of what it may hold; empty where it may be gone. Anything else there is tampering again."""


def of_worker(attempts: Sequence[Attempt]) -> list[Attempt]:
    """Give the attempts that were work; who planned or reviewed may have been another agent."""
    return [attempt for attempt in attempts if attempt.role == "worker"]


def contents(words: Sequence[Acceptance]) -> dict[str, str]:
    """Give what a human's words let paths hold."""
    return {path: content for word in words for path, content in word.contents.items()}


@dataclass(frozen=True)
class Artifacts:
    """Where a run's outcome lies; absolute paths."""

    dir: str
    diff: str
    tampering: str
    """What was done to protected files, as a diff; empty where nothing was."""
    log: str
    output: str
    result: str


@dataclass(frozen=True)
class Result:
    """What a run came to: what `run --json` prints."""

    run_id: str
    status: Status
    reason: Reason
    detail: str
    iterations: int
    cost_usd: float
    tokens: Usage
    duration_s: float
    checks: tuple[Check, ...]
    branch: str
    commit: str
    artifacts: Artifacts
    schema: int = 1

    @property
    def exit_code(self) -> int:
        """The process's exit code for this end."""
        if self.status is Status.DONE:
            return 0
        if self.status is Status.CANCELLED and self.reason is not Reason.BUDGET:
            return 130
        return {Reason.TAINTED: 3, Reason.UNVERIFIABLE: 4, Reason.BUDGET: 7}.get(self.reason, 5)

    def to_dict(self) -> dict[str, Any]:
        """Write it as plain data."""
        data = {"schema": self.schema, **dataclasses.asdict(self)}
        for check in data["checks"]:
            for internal in ("id", "run_id", "attempt_id", "iteration"):
                del check[internal]
        return data
