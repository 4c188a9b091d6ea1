"""Metrics by period -> those that got worse over three periods and beyond chance. One alone says nothing.

The newest two periods that are over, or four, are held against all that came before: the e-process of
statistics/watch.py against the 90% lower bound of the rate before. Numbers such as time become rates: the share that
is no more than three in four were before.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import TypeVar

from loopwright.measure.metrics import Period, Rate, start_of
from loopwright.records.outcome import By, Sample, Tally
from loopwright.records.signal import Signal, signal_id
from loopwright.statistics.intervals import lower_bound
from loopwright.statistics.watch import evidence_of_counts

TYPE = "metric_worse"
FEWEST = 100
"""With fewer runs before, nobody knows what the rate was."""
_BEFORE = 3
"""So many times the runs of the newest periods there have to be before: else the bound is too uncertain."""
_WINDOWS = ((2, 18.0), (4, 120.0))
"""So many of the newest periods, and the evidence that they need for the pass rate: in simulations of 30 flat periods
it raises a signal in 3 of 100, whatever the rate and the size."""
BESIDE = 12.0
"""So many times that evidence each other metric needs: all seven together raise one in about 4 of 100."""
_LOOK_BACK = 3
_QUARTER = 0.75
_THIN = 0.2
"""A period with less than such a part of what periods usually have says nothing of its own."""
Dated = TypeVar("Dated", Tally, Sample)
Good = Callable[[Tally], Rate]
_FIRST = "pass rate"
_RATES: Mapping[str, Good] = {
    _FIRST: lambda tally: Rate(tally.passed, tally.judged),
    "first-pass rate": lambda tally: Rate(tally.first_pass, tally.staged),
    "rate of tasks without a rejection": lambda tally: Rate(tally.runs - tally.rejected, tally.runs),
    "rate of tasks without a human": lambda tally: Rate(tally.runs - tally.human, tally.runs),
}
_NUMBERS = {"time": 2, "tokens": 3, "cost": 4}
"""The metric, and its place in a sample."""
METRICS = len(_RATES) + len(_NUMBERS)


@dataclass(frozen=True)
class Fall:
    """A metric of a group that got worse."""

    by: By
    group: str
    metric: str
    period: Period
    since: str
    """The first day of the periods in which it is worse."""
    until: str
    """The first day of the newest of them."""
    before: Rate
    after: Rate
    evidence: float


def fall_of(periods: Sequence[Rate], times: float = 1.0) -> tuple[int, float] | None:
    """Say in how many of the newest periods a rate is worse than before, and with what evidence; None where it is not.

    With several series chance has more goes: each needs so many `times` the evidence.
    """
    for width, alarm in _WINDOWS:
        before, after = sum(periods[:-width], Rate()), sum(periods[-width:], Rate())
        if len(periods) < _LOOK_BACK or before.tries < max(FEWEST, _BEFORE * after.tries):
            continue
        p0 = lower_bound(before.hits, before.tries)
        if not _got_worse(periods[-_LOOK_BACK:], p0):
            continue
        found = evidence_of_counts(after.hits, after.tries, p0)
        if found >= alarm * times:
            return width, found
    return None


def _got_worse(three: Sequence[Rate], p0: float) -> bool:
    """Say whether the newest two of three periods are worse than before, and the first better than both, or as bad."""
    first, *newest = (rate.share for rate in three)
    if first is None or any(share is None or share >= p0 for share in newest):
        return False
    return first < p0 or all(share is not None and first > share for share in newest)


def over(some: Iterable[Dated], period: Period, today: str) -> list[Dated]:
    """Leave out the period that today is in, and what is dated later: a few runs of a Monday are no week."""
    begun = start_of(today[:10], period)
    return [one for one in some if start_of(one.day, period) < begun]


def enough_groups(tallies: Sequence[Tally], period: Period) -> set[str]:
    """Name the groups that have enough runs, in enough periods, for anything to be said."""
    runs: dict[str, int] = defaultdict(int)
    periods: dict[str, set[str]] = defaultdict(set)
    for tally in tallies:
        runs[tally.group] += tally.runs
        periods[tally.group].add(start_of(tally.day, period))
    return {group for group, count in runs.items() if count >= FEWEST and len(periods[group]) >= _LOOK_BACK}


def falls(tallies: Sequence[Tally], samples: Sequence[Sample], by: By, period: Period) -> list[Fall]:
    """Find the metrics of all groups that got worse, up to their newest period."""
    enough = enough_groups(tallies, period)
    counted, numbers = _by_period(tallies, enough, period), _by_period(samples if enough else (), enough, period)
    found: list[Fall] = []
    for group in sorted(enough):
        found += _rates(counted[group], by, group, period, len(enough))
        found += _numbers(numbers[group], by, group, period, len(enough))
    return found


def _by_period(some: Iterable[Dated], groups: set[str], period: Period) -> dict[str, dict[str, list[Dated]]]:
    found: dict[str, dict[str, list[Dated]]] = defaultdict(lambda: defaultdict(list))
    for one in some:
        if one.group in groups:
            found[one.group][start_of(one.day, period)].append(one)
    return found


def _rates(found: Mapping[str, Sequence[Tally]], by: By, group: str, period: Period, crowd: int) -> Iterator[Fall]:
    for metric, good in _RATES.items():
        rates = {name: sum(map(good, found[name]), Rate()) for name in sorted(found)}
        steps = _steps({name: rate.tries for name, rate in rates.items()})
        series = [sum((rates[name] for name in step), Rate()) for step in steps]
        if worse := fall_of(series, crowd * (1 if metric == _FIRST else BESIDE)):
            yield _fall(by, group, metric, period, steps, series, worse)
            if metric == _FIRST:
                return  # a run that did not pass counts against each of the others: it would be told again


def _numbers(found: Mapping[str, Sequence[Sample]], by: By, group: str, period: Period, crowd: int) -> Iterator[Fall]:
    for metric, place in _NUMBERS.items():
        values = {
            name: [value for sample in found[name] if (value := float(sample[place] or 0)) > 0]
            for name in sorted(found)
        }
        steps = _steps({name: len(some) for name, some in values.items()})
        known = [[value for name in step for value in values[name]] for step in steps]
        for width, _ in _WINDOWS:
            before = sorted(value for some in known[:-width] for value in some)
            if len(before) < FEWEST:
                continue
            most = before[int(_QUARTER * len(before))]
            rates = [Rate(sum(value <= most for value in some), len(some)) for some in known]
            worse = fall_of(rates, crowd * BESIDE)
            if worse and worse[0] == width:
                yield _fall(by, group, metric, period, steps, rates, worse)
                break


def _steps(sizes: Mapping[str, int]) -> list[list[str]]:
    """Join periods that have next to nothing to the one before: sizes decide, never how the runs went."""
    known = {name: size for name, size in sizes.items() if size}
    least = _THIN * median(known.values()) if known else 0.0
    steps: list[list[str]] = []
    for name, size in known.items():
        if steps and size < least:
            steps[-1].append(name)
        else:
            steps.append([name])
    return steps


def _fall(
    by: By,
    group: str,
    metric: str,
    period: Period,
    steps: Sequence[Sequence[str]],
    rates: Sequence[Rate],
    worse: tuple[int, float],
) -> Fall:
    width, evidence = worse
    before, after = sum(rates[:-width], Rate()), sum(rates[-width:], Rate())
    return Fall(by, group, metric, period, steps[-width][0], steps[-1][0], before, after, evidence)


def words_of(fall: Fall) -> str:
    """Say what got worse, of whom, since when, and by how much."""
    who = f"{fall.by} {fall.group}" if fall.group else f"unnamed {fall.by}"
    before, after = (f"{100 * (rate.share or 0):.0f}% of {rate.tries:,}" for rate in (fall.before, fall.after))
    if fall.metric in _NUMBERS:
        within = f"{after} stay within what was usual, {before} before"
        return f"more {fall.metric} per task for {who}: since {fall.since}, {within}"
    return f"the {fall.metric} of {who} fell: {after} since {fall.since}, {before} before"


def signal_of_fall(fall: Fall, run_id: str, at: str, last_seq: int) -> Signal:
    """Make a signal of a fall, with the newest run of the group; one for each period in which it lasts."""
    name = f"{TYPE} {fall.by} {fall.group} {fall.metric} {fall.period} {fall.until}"
    return Signal(
        id=signal_id("", name, 0, "trend"),
        run_id=run_id,
        type=TYPE,
        severity="high",
        description=words_of(fall),
        events=(last_seq,),
        at=at,
        action=f"see what changed about {fall.since}: loopwright metrics --by {fall.by} --period {fall.period}",
        category=fall.metric,
        source="trend",
    )
