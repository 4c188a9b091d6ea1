"""What is chosen for live tasks outside of experiments, and what is known of each arm."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Counts:
    """What is known of one arm in one task type; a part of a run can count, after a model's change."""

    passes: float = 0.0
    failures: float = 0.0
    cost: float = 0.0
    """In all, in USD."""

    @property
    def runs(self) -> float:
        return self.passes + self.failures

    def __add__(self, other: Counts) -> Counts:
        return Counts(self.passes + other.passes, self.failures + other.failures, self.cost + other.cost)

    def __mul__(self, share: float) -> Counts:
        return Counts(self.passes * share, self.failures * share, self.cost * share)


Table = Mapping[tuple[str, str], Counts]
"""(task type, arm) -> what is known."""


@dataclass(frozen=True)
class Choice:
    """The arm that was chosen for a task, and how probable each was: to be written down together."""

    task_type: str
    arm: str
    """The name of a profile in the settings."""
    propensities: Mapping[str, float]
    id: str = ""
    at: str = ""
    passed: bool | None = None
    model: str = ""
    """As the agent reported it."""
