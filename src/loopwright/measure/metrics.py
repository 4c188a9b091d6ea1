"""What runs came to, counted by group and day -> metrics: rates with their intervals, medians, by group and period."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache
from statistics import median
from typing import Literal

from loopwright.records.outcome import Sample, Tally
from loopwright.statistics.intervals import wilson

Period = Literal["day", "week"]
_Key = tuple[str, str]
"""A group and a period."""


@dataclass(frozen=True)
class Rate:
    """How many of how many."""

    hits: int = 0
    tries: int = 0

    @property
    def share(self) -> float | None:
        """The part of the whole; None where there is no whole."""
        return self.hits / self.tries if self.tries else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """Where the true share lies, with 95% certainty (Wilson)."""
        return wilson(self.hits, self.tries) if self.tries else None

    def __add__(self, other: Rate) -> Rate:
        return Rate(self.hits + other.hits, self.tries + other.tries)


@dataclass(frozen=True)
class Metrics:
    """One group, or one group in one period. What nobody knows is None; what is for a task is a median."""

    name: str
    period: str
    """The first day of it; empty for all of them."""
    runs: int
    tokens: int
    cost_usd: float
    passed: Rate
    first_pass: Rate
    rejected: Rate
    human: Rate
    seconds_per_task: float | None = None
    tokens_per_task: float | None = None
    cost_per_task: float | None = None
    lines_per_task: float | None = None
    coverage: float | None = None


def metrics_of(tallies: Iterable[Tally], samples: Iterable[Sample], period: Period | None = None) -> list[Metrics]:
    """Sum up by group, and by period where one is asked for; the oldest period and the largest group first."""
    place: Callable[[str], str] = (lambda day: start_of(day, period)) if period else (lambda day: "")
    counted: dict[_Key, list[Tally]] = defaultdict(list)
    for tally in tallies:
        counted[tally.group, place(tally.day)].append(tally)
    numbers: dict[_Key, list[Sample]] = defaultdict(list)
    for sample in samples:
        numbers[sample.group, place(sample.day)].append(sample)
    found = [_metrics(key, some, numbers[key]) for key, some in counted.items()]
    return sorted(found, key=lambda group: (group.period, -group.runs, group.name))


def whole_of(tallies: Sequence[Tally], samples: Iterable[Sample]) -> Metrics | None:
    """Sum up all of them; None where there are none."""
    return _metrics(("", ""), tallies, list(samples)) if tallies else None


def by_period(tallies: Iterable[Tally], period: Period) -> dict[str, list[tuple[str, Rate]]]:
    """Give the pass rate of each group in each period, the oldest first."""
    found: dict[str, dict[str, Rate]] = defaultdict(dict)
    for tally in tallies:
        first = start_of(tally.day, period)
        found[tally.group][first] = found[tally.group].get(first, Rate()) + Rate(tally.passed, tally.judged)
    return {group: sorted(rates.items()) for group, rates in found.items()}


@lru_cache(maxsize=10_000)
def start_of(day: str, period: Period) -> str:
    """Give the first day of the period that a day is in; weeks begin on Monday."""
    if period == "day":
        return day
    try:
        found = date.fromisoformat(day)
    except ValueError:
        return day
    return (found - timedelta(days=found.weekday())).isoformat()


def _metrics(key: _Key, tallies: Sequence[Tally], samples: Sequence[Sample]) -> Metrics:
    runs = sum(tally.runs for tally in tallies)
    return Metrics(
        *key,
        runs=runs,
        tokens=sum(tally.tokens for tally in tallies),
        cost_usd=sum(tally.cost_usd for tally in tallies),
        passed=Rate(sum(tally.passed for tally in tallies), sum(tally.judged for tally in tallies)),
        first_pass=Rate(sum(tally.first_pass for tally in tallies), sum(tally.staged for tally in tallies)),
        rejected=Rate(sum(tally.rejected for tally in tallies), runs),
        human=Rate(sum(tally.human for tally in tallies), runs),
        seconds_per_task=_median([sample.seconds for sample in samples if sample.seconds > 0]),
        tokens_per_task=_median([sample.tokens for sample in samples if sample.tokens > 0]),
        cost_per_task=_median([sample.cost_usd for sample in samples if sample.cost_usd > 0]),
        lines_per_task=_median([sample.lines for sample in samples if sample.lines is not None]),
        coverage=_median([sample.coverage for sample in samples if sample.coverage is not None]),
    )


def _median(values: Sequence[float]) -> float | None:
    return float(median(values)) if values else None
