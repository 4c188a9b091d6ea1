"""A diagnosis: what goes wrong, how often, what it costs, the likely cause. A hypothesis, and shown as one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

Goal = Literal["accuracy", "capabilities", "cost"]
GOALS: tuple[Goal, ...] = get_args(Goal)
Cause = Literal["code_bug", "misunderstood", "architecture", "missing_context", "anti_pattern", "novel"]
CAUSES: tuple[Cause, ...] = get_args(Cause)
"""Why a check failed: the code alone; what was asked for; the approach; what nobody told; a known habit; none."""
Change = Literal["new", "better", "same", "worse", "gone"]
"""What became of a finding since it was last seen."""


@dataclass(frozen=True)
class Finding:
    """One thing that could be better."""

    key: str
    """What it is about, made of names alone: whoever finds it again finds the same one."""
    goal: Goal
    rule: str
    """Who found it: a rule by its name, or `judge`."""
    title: str
    """One line, no numbers: what goes wrong, and where."""
    detail: str
    """Names and numbers, so that a person can check it."""
    sessions: int
    of: int
    """So many sessions were looked at."""
    certainty: float
    """From 0 to 1."""
    target: str = ""
    """What a change would be made to: `worker/bug_fix`, `tool NAME`, `setting run.model`; empty where nobody knows."""
    cause: Cause | None = None
    waste_usd: float = 0.0
    waste_tokens: int = 0
    waste_seconds: float = 0.0
    runs: Sequence[str] = ()
    """The sessions behind it, the most telling first."""
    signals: Sequence[str] = ()
    """Ids of signals behind it."""

    @property
    def rate(self) -> float:
        """In what share of the sessions it was seen."""
        return self.sessions / self.of if self.of else 0.0


@dataclass(frozen=True)
class Sighting:
    """A finding as it was seen at one time, and what became of it since the time before."""

    finding: Finding
    at: str
    change: Change = "new"
    before: float | None = None
    """Its rate at the time before."""
    first_at: str = ""
    """When it was seen first."""
