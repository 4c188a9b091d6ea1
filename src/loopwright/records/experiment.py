"""A comparison of two ways to work, task by task, and what has come of it so far."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from loopwright.records.shape import ShapeError

ArmName = Literal["A", "B"]
Phase = Literal["replay", "live"]
Metric = Literal["passed", "cost", "time"]
METRICS: tuple[Metric, ...] = get_args(Metric)
PROMPTS = {"system_prompt": "worker", "planner_prompt": "planner", "verifier_prompt": "verifier"}
"""The parameters whose values are versions of a prompt, with whose it is."""
PROFILE = "profile"
"""The parameter whose values are whole profiles."""
ExperimentStatus = Literal["running", "proven", "promoted", "no_difference", "stopped"]
"""`proven`: it waits for a human to put it into use."""


@dataclass(frozen=True)
class Arm:
    """One of the two ways."""

    value: Any
    """What the parameter is set to; of a prompt, the number of its version."""
    label: str = ""
    """What people read."""


@dataclass(frozen=True)
class Experiment:
    """What is compared, fixed at the start."""

    id: str
    name: str
    parameter: str
    """A parameter of a profile, one of PROMPTS, or PROFILE."""
    control: Arm
    treatment: Arm
    task_types: Sequence[str]
    base: Mapping[str, int]
    """What both arms are made of: kind and name -> the number of the version that was in use at the start."""
    created_at: str
    by: str = ""
    reason: str = ""
    role: str = "worker"
    share: float = 1.0
    """Of live tasks of these types, so much takes part."""
    guardrails: Sequence[Metric] = ("cost", "time")
    """What must not get worse."""
    minimum: int = 30
    maximum: int = 600
    threshold: float = 0.0
    """What the evidence has to reach with so many pairs at most, if no other experiment runs; 0: not computed yet."""
    concurrent: int = 1
    """How many ran for the role at its start, with it."""
    status: ExperimentStatus = "running"
    outcome: str = ""
    """Why it ended."""
    ended_at: str | None = None

    def arm(self, name: ArmName) -> Arm:
        return self.control if name == "A" else self.treatment


@dataclass(frozen=True)
class Trial:
    """One task given to one arm."""

    id: str
    experiment_id: str
    unit: str
    """What was given: a task, or one go at it."""
    arm: ArmName
    task_type: str
    block: str
    """Who shares it makes a pair."""
    phase: Phase
    assigned_at: str
    run_id: str = ""
    passed: bool | None = None
    cost_usd: float = 0.0
    seconds: float = 0.0
    delivered_at: str | None = None
    left_out: str = ""
    """Why it does not count; empty where it does."""


@dataclass(frozen=True)
class Evidence:
    """All that a decision needs to know, whatever came before."""

    pairs: int = 0
    wins: int = 0
    """Pairs in which only B passed."""
    losses: int = 0
    low: float = -1.0
    high: float = 1.0
    """Between these lies the mean difference, by every look so far."""
    assigned: Mapping[str, int] = field(default_factory=dict)
    """Task type -> how many live tasks took part."""
    strata: Mapping[str, Sequence[int]] = field(default_factory=dict)
    """Task type -> its pairs, wins, losses."""
    delivered: Mapping[str, int] = field(default_factory=dict)
    """Arm -> how many live outcomes have come."""
    worth: Mapping[str, Sequence[float]] = field(default_factory=dict)
    """Guardrail metric -> what the bets are worth that it is not worse."""
    totals: Mapping[str, Sequence[float]] = field(default_factory=dict)
    """Arm -> passes, dollars, seconds, of all pairs."""


@dataclass(frozen=True)
class Look:
    """The evidence after a pair."""

    pairs: int
    superiority: float
    futility: float
    low: float
    high: float


@dataclass(frozen=True)
class ExperimentsSettings:
    """How far Loopwright goes by itself, and among what it chooses: `[experiments]`."""

    autonomy: Literal["suggest", "approve", "auto_low_risk"] = "suggest"
    """What happens without a human's word: nothing; experiments start; small changes that are proven are used."""
    arms: tuple[str, ...] = ()
    """Profiles among which live tasks outside of experiments are shared out, the better ones more often."""
    price: float = 0.0
    """How many passes a US dollar is worth in that."""

    def __post_init__(self) -> None:
        if not 0 <= self.price < math.inf:
            raise ShapeError(
                f"{self.price:g} is not possible here", ("price",), "0 or more; 0: what a task costs does not count"
            )
