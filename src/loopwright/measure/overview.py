"""The store -> how agents do over many runs: metrics, what got worse, and what a human should know of."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from loopwright.measure.alerts import alerts, too_few
from loopwright.measure.metrics import Metrics, Period, Rate, by_period, metrics_of, whole_of
from loopwright.measure.trends import FEWEST, TYPE, enough_groups, falls, over, signal_of_fall
from loopwright.records.identity import timestamp
from loopwright.records.outcome import By, Sample, Tally
from loopwright.records.signal import Signal


class OutcomeStore(Protocol):
    """Where it is written what runs came to."""

    def tallies(self, by: By, since: str = "") -> Sequence[Tally]: ...

    def samples(self, by: By, tallies: Sequence[Tally], since: str = "") -> Sequence[Sample]: ...

    def newest(self, by: By, group: str, until: str) -> tuple[str, str, int] | None: ...


class SignalStore(Protocol):
    """Where signals are counted, and those of trends written."""

    def counts(self, since: str = "") -> Mapping[str, int]: ...

    def wrong(self, type_name: str) -> Collection[str]: ...

    def add(self, found: Sequence[Signal]) -> None: ...


@dataclass(frozen=True)
class View:
    """What there is to see."""

    by: By
    period: Period | None
    since: str
    whole: Metrics | None
    """None where no run has ended."""
    groups: Sequence[Metrics]
    passing: Mapping[str, Sequence[tuple[str, Rate]]]
    """The pass rate of each group, period by period."""
    trends: Sequence[str]
    """What got worse beyond chance, without what a human called wrong."""
    alerts: Sequence[str]
    notes: Sequence[str]
    """What there are too few runs to tell."""


@dataclass(frozen=True)
class Overview:
    """Reads what runs came to. What got worse is written down as a signal."""

    outcomes: OutcomeStore
    signals: SignalStore
    per_100: float | None = None
    good: frozenset[str] = frozenset()
    """The signals that are good news."""
    now: Callable[[], str] = timestamp

    def view(self, by: By, period: Period | None = None, since: str = "") -> View:
        """Sum up the runs that began at a moment or later."""
        tallies = self.outcomes.tallies(by, since)
        samples = self.outcomes.samples(by, tallies, since)
        whole = whole_of(tallies, samples)
        steps = period or "week"
        ended = over(tallies, steps, today := self.now())
        return View(
            by,
            period,
            since,
            whole,
            _ordered(metrics_of(tallies, samples, period), by),
            by_period(tallies, steps),
            self._trends(ended, over(samples, steps, today), by, steps),
            self._alerts(whole, since),
            self._notes(whole, ended, by, steps),
        )

    def _trends(self, tallies: Sequence[Tally], samples: Sequence[Sample], by: By, period: Period) -> list[str]:
        if by == "hour":
            return []  # the hours of a day don't follow upon each other
        found = falls(tallies, samples, by, period)
        last = max((tally.day for tally in tallies), default="")
        placed = [(fall, self.outcomes.newest(by, fall.group, last)) for fall in found]
        made = [signal_of_fall(fall, *place) for fall, place in placed if place]
        if made:
            self.signals.add(made)
        wrong = self.signals.wrong(TYPE) if made else ()
        return [signal.description for signal in made if signal.id not in wrong]

    def _alerts(self, whole: Metrics | None, since: str) -> Sequence[str]:
        if self.per_100 is None or whole is None:
            return ()
        found = {name: count for name, count in self.signals.counts(since).items() if name not in {*self.good, TYPE}}
        return alerts(found, whole.runs, self.per_100)

    def _notes(self, whole: Metrics | None, tallies: Sequence[Tally], by: By, period: Period) -> Sequence[str]:
        found = [too_few(whole.runs)] if whole and self.per_100 is not None else []
        if whole and by != "hour" and not enough_groups(tallies, period):
            needed = f"it takes {FEWEST} of one {by}, in three {period}s or more that are over"
            found.append(f"too few runs to tell what got worse: {needed}")
        return [note for note in found if note]


def _ordered(groups: list[Metrics], by: By) -> list[Metrics]:
    """Put hours in the order in which they come, the unknown one last; the others are in order."""
    if by != "hour":
        return groups
    return sorted(groups, key=lambda group: (group.period, not group.name, group.name.zfill(2)))
