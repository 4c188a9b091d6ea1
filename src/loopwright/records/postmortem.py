"""What is known of a significant failure: what happened, what may be the cause, what to do. A hypothesis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from loopwright.records.qa_failure import Hypothesis

Trigger = Literal["escalated", "failed", "tainted", "rolled_back", "over_budget", "data_lost"]
TRIGGERS: tuple[Trigger, ...] = get_args(Trigger)
"""What makes a failure significant."""
FailureClass = Literal["preventable", "systemic", "one_off"]
Horizon = Literal["immediate", "short_term", "long_term"]
HORIZONS: Mapping[Horizon, str] = {"immediate": "now", "short_term": "this week", "long_term": "for good"}


@dataclass(frozen=True)
class Happening:
    """One moment of the timeline."""

    at: str
    what: str
    where: str
    """What it was read from: `event 12`, `check of iteration 2`."""


@dataclass(frozen=True)
class Candidate:
    """A cause that may have been it."""

    hypothesis: Hypothesis
    probability: float
    """Its share of the certainty that all rules have, from 0 to 1: a rank, and no measured frequency."""
    evidence: Sequence[str]


@dataclass(frozen=True)
class Remediation:
    """What would make it less likely."""

    horizon: Horizon
    text: str
    against: str
    """The name of the cause that it prevents."""
    target: str = ""
    """What it is applied to: `prompt worker/bug_fix`, `profile worker/bug_fix`, `config run.max_cost`."""


@dataclass(frozen=True)
class PostMortem:
    """One run that went wrong in a way that matters."""

    run_id: str
    ended_at: str
    at: str
    triggers: Sequence[Trigger]
    title: str
    timeline: Sequence[Happening]
    candidates: Sequence[Candidate]
    """At most three, the likely one first."""
    unexplained: float
    """What is left for causes that no rule knows."""
    failure_class: FailureClass
    because: str
    """Why it is of this class."""
    remediations: Sequence[Remediation]
    failures: Sequence[str] = ()
    """Ids of the failed checks and rejected outputs in it."""
