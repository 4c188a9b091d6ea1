"""What a run comes to as a whole, and what is usual for its like."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Totals:
    """One run, counted."""

    run_id: str
    task_type: str
    agent: str
    model: str
    seconds: float
    """At work; pauses of a human count up to five minutes."""
    tokens: int
    cost_usd: float
    iterations: int = 1
    passed: bool | None = None
    """Whether its criteria held at the end; None where there were none."""
    last_seq: int = 1
    """Its last event."""
    at: str = ""
    """When it ended."""
    source: str = ""
    """The format of the record from which it was brought in; empty where Loopwright ran it."""
    disliked: str | None = None
    """Why the human who spoke last of it gave a thumb down; None where nobody did, or they are content now."""


@dataclass(frozen=True)
class Usual:
    """What is usual of one number: its median, and how far from it the middle half of them lies."""

    count: int = 0
    median: float = 0.0
    mad: float = 0.0
    """The median distance from the median."""
    spread: float = 0.0
    """The same of the logarithms: half of them lie within a factor of e to this from the median."""


@dataclass(frozen=True)
class Baseline:
    """What is usual for the like of a run, itself left out: of its task type, and run here or brought in as it was."""

    seconds: Usual = Usual()
    tokens: Usual = Usual()
    cost_usd: Usual = Usual()
    iterations: Usual = Usual()
