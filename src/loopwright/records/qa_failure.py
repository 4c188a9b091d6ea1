"""One failed check or rejected output, its likely cause, and where that leads. A hypothesis, and shown as one."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args

from loopwright.records.finding import Cause
from loopwright.records.shape import ShapeError

FailureType = Literal["test", "lint", "security", "performance", "review"]
FAILURE_TYPES: tuple[FailureType, ...] = get_args(FailureType)
Route = Literal[
    "logged", "task decomposition prompt", "architecture playbook", "context strategy", "anti-pattern", "human"
]
ROUTES: Mapping[Cause, Route] = {
    "code_bug": "logged",
    "misunderstood": "task decomposition prompt",
    "architecture": "architecture playbook",
    "missing_context": "context strategy",
    "anti_pattern": "anti-pattern",
    "novel": "human",
}
"""Where each cause leads."""
StepClass = Literal["architectural", "implementation", "clean_pass", "not_judged"]
STEP_CLASSES: tuple[StepClass, ...] = get_args(StepClass)
"""Wrong approach; right approach, wrong execution; passed at the first go; nobody checked it."""


@dataclass(frozen=True)
class FailuresSettings:
    """When failures ask for a patch: `[failures]`."""

    per_patch: int = 5
    """After so many runs that failed for one root cause, a patch is asked for."""

    def __post_init__(self) -> None:
        if self.per_patch < 1:
            raise ShapeError(f"{self.per_patch} is not possible here: it must be 1 or more", ("per_patch",))


@dataclass(frozen=True)
class Hypothesis:
    """What may be the cause, who says so, and why."""

    cause: Cause
    detail: str
    """What kind of it, made of names alone: `regression`, `false_done`, the path of a file."""
    certainty: float
    """From 0 to 1: what the rule is believed, before anybody has measured it."""
    evidence: str
    """What it was read from, with where that stands."""
    by: str
    """A rule by its name, or `model NAME`."""

    @property
    def name(self) -> str:
        return f"{self.cause}/{self.detail}" if self.detail else self.cause


@dataclass(frozen=True)
class QAFailure:
    """One criterion that failed in a run, or one judgement that rejected its output."""

    id: str
    """Made of the run and what failed: who looks again finds the same one."""
    run_id: str
    at: str
    task: str
    """The goal."""
    task_type: str
    agent: str
    model: str
    failure_type: FailureType
    criterion: str
    """What did not hold, in words."""
    description: str
    """What was seen, cut."""
    diff: str
    """What the code had become, cut."""
    prompt_version: str
    target: str
    """Whose prompt, playbooks and settings were in use: `worker/bug_fix`."""
    hypotheses: Sequence[Hypothesis]
    """The likely one first; never empty."""
    iterations: Sequence[int] = ()
    """After which it failed."""
    recovered: bool = False
    """Whether it held later on in the same run."""
    trial: bool = False
    """Whether its run is a trial of an experiment: those are done again and again, and ask for no patch."""
    patch: str = ""
    """The proposed prompt patch: its id; empty where there is none."""

    @property
    def likely(self) -> Hypothesis:
        return self.hypotheses[0]

    @property
    def cause(self) -> Cause:
        return self.likely.cause

    @property
    def route(self) -> Route:
        return ROUTES[self.cause]

    @property
    def root(self) -> str:
        """The root cause, made of names alone: failures of one root are put together."""
        return f"{self.likely.name} in {self.target}"


@dataclass(frozen=True)
class Classification:
    """What a step was: clean, or what kind of wrong."""

    run_id: str
    step_id: str
    number: int
    title: str
    kind: StepClass
    certainty: float
    because: str


@dataclass(frozen=True)
class Analysed:
    """A run whose failures were analysed."""

    run_id: str
    ended_at: str
    """The end of the run as it was then; one that has gone on since is analysed again."""
    failures: Sequence[QAFailure] = ()
    steps: Sequence[Classification] = ()
    spent_usd: float = 0.0
    """What a model's part of it has cost so far."""
    notes: Sequence[str] = field(default=(), compare=False)
    """What could not be done; not kept."""


@dataclass(frozen=True)
class Wanted:
    """A patch that failures of one root cause ask for: what the patch stage reads."""

    root: str
    """As the failures have it; asked for once."""
    cause: Cause
    route: Route
    target: str
    at: str
    failures: Sequence[str]
    """Ids of the failures behind it, one of each run, the newest first."""
    runs: Sequence[str]
    patch: str = ""
    """The id of the patch that answers it; empty while nobody has."""


def failure_id(run_id: str, what: str) -> str:
    """Name a failure."""
    return hashlib.sha256(f"{run_id}\x1f{what}".encode(errors="replace")).hexdigest()[:16]
