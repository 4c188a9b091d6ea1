"""What many runs came to: sums of a group, and single numbers of runs."""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

By = Literal["agent", "model", "task_type", "project", "profile", "prompt_version", "hour"]
BY: tuple[By, ...] = get_args(By)
"""By what runs can be grouped."""


class Past(NamedTuple):
    """What one run of the past took."""

    run_id: str
    task_type: str
    source: str
    """Empty where Loopwright ran it."""
    seconds: float
    tokens: int
    cost_usd: float
    iterations: int


class Tally(NamedTuple):
    """The runs of one group and one day, counted."""

    group: str
    day: str
    """As 2026-11-16."""
    runs: int
    judged: int
    """Of those it is known whether they passed."""
    passed: int
    staged: int
    """Of those it is known whether they passed in the first iteration."""
    first_pass: int
    rejected: int
    human: int
    tokens: int
    cost_usd: float


class Sample(NamedTuple):
    """The numbers of one run that have a median."""

    group: str
    day: str
    seconds: float
    tokens: int
    cost_usd: float
    lines: int | None
    coverage: float | None


class Sums(NamedTuple):
    """The runs of one group, all days together, counted and added up."""

    runs: float
    judged: float
    passed: float
    first_pass: float
    rejected: float
    human: float
    tokens: float
    cost_usd: float
    seconds: float
    lines_added: float
    covered: float
    """Of those the coverage is known."""
    coverage: float
    """In percent, added up."""
