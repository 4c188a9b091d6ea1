"""What gets worse over three periods and beyond chance, and what only seems to."""

from __future__ import annotations

import random

import pytest

from loopwright.measure.metrics import Period, Rate
from loopwright.measure.trends import (
    BESIDE,
    METRICS,
    TYPE,
    Fall,
    enough_groups,
    fall_of,
    falls,
    over,
    signal_of_fall,
    words_of,
)
from loopwright.records.outcome import Sample, Tally

SERIES = 400


def tally(day: int, passed: int, runs: int = 50, group: str = "codex") -> Tally:
    return Tally(group, f"2026-01-{day:02d}", runs, runs, passed, runs, passed, 0, 0, 0, 0.0)


def rate(dice: random.Random, size: int, share: float) -> Rate:
    return Rate(sum(dice.random() < share for _ in range(size)), size)


def first_alarm(periods: list[Rate], times: float = 1.0) -> int | None:
    """Give the period at whose end a fall is told for the first time, with a look at the end of each."""
    return next((end - 1 for end in range(1, len(periods) + 1) if fall_of(periods[:end], times)), None)


@pytest.mark.parametrize(
    ("size", "share"), [(10, 0.5), (20, 0.8), (50, 0.3), (50, 0.5), (50, 0.8), (50, 0.95), (100, 0.7), (200, 0.9)]
)
def test_flat_series_rarely_raise_a_signal(size: int, share: float) -> None:
    """Of 400 pass rates of 30 flat periods, at most 5 in 100 ever raise one, whatever the rate and the size."""
    dice = random.Random(100 * size + int(100 * share))
    alarms = sum(first_alarm([rate(dice, size, share) for _ in range(30)]) is not None for _ in range(SERIES))
    assert alarms <= 0.05 * SERIES


@pytest.mark.parametrize(
    ("share", "two", "three"),
    [(0.9, 0.95, 0.98), (0.8, 0.9, 0.95), (0.7, 0.8, 0.9), (0.5, 0.8, 0.9), (0.3, 0.94, 0.97)],
)
def test_a_fall_of_20_points_is_found(share: float, two: float, three: float) -> None:
    """At 50 tasks a period, after 28 periods, it is found within two periods or three this often."""
    dice, found = random.Random(int(1000 * share)), [0, 0]
    for _ in range(SERIES):
        series = [rate(dice, 50, share) for _ in range(28)] + [rate(dice, 50, share - 0.2) for _ in range(3)]
        found[0] += bool(fall_of(series[:30]) or fall_of(series[:29]))
        found[1] += any(fall_of(series[:end]) for end in (29, 30, 31))
    assert found[0] >= two * SERIES
    assert found[1] >= three * SERIES


def test_worse_three_times_in_a_row_is_not_enough() -> None:
    """A rate that goes down by a little in three periods says nothing."""
    assert fall_of([Rate(40, 50)] * 10 + [Rate(39, 50), Rate(38, 50), Rate(37, 50)]) is None


def test_one_bad_period_is_not_enough() -> None:
    """Evidence from a single period waits for the next one."""
    assert fall_of([Rate(40, 50)] * 10 + [Rate(5, 50)]) is None
    assert fall_of([Rate(40, 50)] * 10 + [Rate(5, 50), Rate(45, 50)]) is None


def test_too_little_is_silent() -> None:
    """With fewer than 100 runs before, or two periods, nobody knows what was usual."""
    assert fall_of([Rate(40, 49), Rate(40, 49), Rate(0, 50), Rate(0, 50)]) is None
    assert fall_of([Rate(200, 200), Rate(0, 200)]) is None
    assert fall_of([]) is None
    assert fall_of([Rate(225, 299), Rate(0, 50), Rate(0, 50)]) is None
    assert fall_of([Rate(225, 300), Rate(0, 50), Rate(0, 50)]) is not None


def test_many_series_need_more() -> None:
    """What is enough for one series is not enough for one of a hundred."""
    fallen = [Rate(40, 50)] * 10 + [Rate(28, 50), Rate(28, 50)]
    found = fall_of(fallen)
    assert found is not None
    assert fall_of(fallen, times=found[1] / 18 + 1) is None


@pytest.mark.parametrize("share", [0.5, 0.8])
def test_all_metrics_of_a_group_together_rarely_raise_a_signal(share: float) -> None:
    """Of 500 flat histories of seven metrics that are apart from each other, at most 5 in 100 ever raise one."""
    dice, alarms = random.Random(int(100 * share)), 0
    for _ in range(500):
        family = [[rate(dice, 50, share) for _ in range(30)] for _ in range(METRICS)]
        alarms += any(
            first_alarm(periods, BESIDE if place else 1.0) is not None for place, periods in enumerate(family)
        )
    assert alarms <= 0.05 * 500


def test_other_metrics_need_more_than_the_pass_rate() -> None:
    """A fall that is enough for the pass rate is not enough for one of the six beside it."""
    days = [(day, 40 if day < 12 else 32) for day in range(1, 14)]
    passing = [Tally("", f"2026-01-{day:02d}", 50, 50, good, 0, 0, 0, 0, 0, 0.0) for day, good in days]
    beside = [Tally("", f"2026-01-{day:02d}", 50, 0, 0, 50, good, 0, 0, 0, 0.0) for day, good in days]
    assert [fall.metric for fall in falls(passing, [], "agent", "day")] == ["pass rate"]
    assert falls(beside, [], "agent", "day") == []


def test_groups_with_too_few_runs_are_left_out() -> None:
    """With fewer than 100 runs or three periods nothing can be said of a group."""
    assert enough_groups([tally(day, 40) for day in range(1, 4)], "day") == {"codex"}
    assert enough_groups([tally(day, 30, 33) for day in range(1, 4)], "day") == set()
    assert enough_groups([tally(day, 90, 100) for day in range(1, 3)], "day") == set()


def test_a_group_that_falls_is_named() -> None:
    """The metric, the group, since when and from what to what are told; others are not."""
    tallies = [tally(day, 45 if day < 12 else 25) for day in range(1, 14)]
    tallies += [tally(day, 45, group="claude_code") for day in range(1, 14)]
    found = falls(tallies, [], "agent", "day")
    assert [(fall.group, fall.metric) for fall in found] == [("codex", "pass rate")]
    assert words_of(found[0]) == "the pass rate of agent codex fell: 50% of 100 since 2026-01-12, 90% of 550 before"


def test_one_fall_is_told_once() -> None:
    """Failed runs count as rejected and seen by a human too: where the pass rate fell, the others are not told."""
    days = [(day, 45 if day < 12 else 20) for day in range(1, 14)]
    judged = [Tally("", f"2026-01-{day:02d}", 50, 50, good, 0, 0, 50 - good, 50 - good, 0, 0.0) for day, good in days]
    unjudged = [Tally("", f"2026-01-{day:02d}", 50, 0, 0, 0, 0, 50 - good, 0, 0, 0.0) for day, good in days]
    assert [fall.metric for fall in falls(judged, [], "agent", "day")] == ["pass rate"]
    assert [fall.metric for fall in falls(unjudged, [], "agent", "day")] == ["rate of tasks without a rejection"]


@pytest.mark.parametrize("thin", [[], [tally(14, 1, 1)], [tally(14, 9, 9)], [tally(14, 1, 1), tally(15, 2, 2)]])
def test_a_thin_period_silences_nothing(thin: list[Tally]) -> None:
    """One with less than a fifth of the usual runs is joined to the one before, and the fall is the same one."""
    [fall] = falls([*(tally(day, 45 if day < 12 else 25) for day in range(1, 14)), *thin], [], "agent", "day")
    assert (fall.since, fall.until) == ("2026-01-12", "2026-01-13")
    assert fall.after.tries == 100 + sum(one.runs for one in thin)


def test_a_period_that_nobody_judged_silences_nothing() -> None:
    """Runs without a verdict are no period of the pass rate; the same holds for numbers that nobody told."""
    days = [tally(day, 45 if day < 12 else 25) for day in range(1, 14)]
    [fall] = falls([*days, Tally("codex", "2026-01-14", 50, 0, 0, 0, 0, 0, 0, 0, 0.0)], [], "agent", "day")
    assert (fall.metric, fall.until) == ("pass rate", "2026-01-13")
    times = [
        Sample("codex", f"2026-01-{day:02d}", 900.0 if day > 11 else 100.0, 0, 0.0, None, None)
        for day in range(1, 14)
        for _ in range(50)
    ]
    untold = Sample("codex", "2026-01-14", 0.0, 9, 0.0, None, None)
    [slow] = falls([tally(day, 45) for day in range(1, 15)], [*times, untold], "agent", "day")
    assert (slow.metric, slow.until) == ("time", "2026-01-13")


@pytest.mark.parametrize("share", [0.5, 0.8, 0.95])
def test_flat_series_with_thin_periods_rarely_raise_a_signal(share: float) -> None:
    """Joining periods gives chance no more goes: of 200 flat histories at most 5 in 100 ever raise one."""
    dice, alarms = random.Random(int(100 * share)), 0
    for _ in range(200):
        sizes = [50 if dice.random() < 0.7 else dice.randint(1, 9) for _ in range(30)]
        days = [tally(day + 1, rate(dice, size, share).hits, size) for day, size in enumerate(sizes)]
        alarms += any(falls(days[:end], [], "agent", "day") for end in range(9, 31))
    assert alarms <= 0.05 * 200


def test_few_runs_in_every_period_are_no_thin_periods() -> None:
    """What is usual decides: a fall at four runs a period is found as it was."""
    tallies = [Tally("", f"2026-{m:02d}-{d:02d}", 4, 4, 4, 0, 0, 0, 0, 0, 0.0) for m in (1, 2) for d in range(1, 29)]
    tallies += [Tally("", f"2026-03-0{day}", 4, 4, 0, 0, 0, 0, 0, 0, 0.0) for day in (1, 2)]
    assert [fall.since for fall in falls(tallies, [], "agent", "day")] == ["2026-03-01"]


@pytest.mark.parametrize(("period", "left"), [("day", 3), ("week", 2)])
def test_what_is_not_over_is_left_out(period: Period, left: int) -> None:
    """Today, this week, and all that is dated later are no periods yet."""
    days = ["", "2026-01-04", "2026-01-05", "2026-01-07", "2999-01-01"]
    found = over([Tally("", day, 1, 1, 1, 0, 0, 0, 0, 0, 0.0) for day in days], period, "2026-01-07T10:00:00.000Z")
    assert [one.day for one in found] == days[:left]


def test_numbers_that_grow_are_named() -> None:
    """Time, tokens and cost count as worse when far fewer tasks stay within what three in four did before."""
    dice = random.Random(3)
    samples = [
        Sample("codex", f"2026-01-{day:02d}", dice.uniform(50, 150) * (3 if day > 11 else 1), 100, 0.0, None, None)
        for day in range(1, 14)
        for _ in range(50)
    ]
    [fall] = falls([tally(day, 45) for day in range(1, 14)], samples, "agent", "day")
    assert (fall.metric, fall.since) == ("time", "2026-01-12")
    assert words_of(fall).startswith("more time per task for agent codex: since 2026-01-12")


def test_flat_numbers_rarely_raise_a_signal() -> None:
    """Of 60 groups with times that come from one distribution, each alone, hardly one raises a signal."""
    dice, alarms = random.Random(8), 0
    days = [tally(day, 45) for day in range(1, 15)]
    for _ in range(60):
        samples = [
            Sample("codex", one.day, dice.lognormvariate(5, 1), 0, 0.0, None, None) for one in days for _ in range(50)
        ]
        alarms += bool(falls(days, samples, "agent", "day"))
    assert alarms <= 3


def test_the_signal_of_a_fall() -> None:
    """It belongs to the newest run, and is the same one for as long as the period lasts."""
    fall = Fall("agent", "codex", "pass rate", "week", "2026-01-05", "2026-01-12", Rate(90, 100), Rate(40, 100), 50.0)
    one, other = signal_of_fall(fall, "r1", "then", 9), signal_of_fall(fall, "r2", "later", 3)
    assert (one.id, one.type, one.source, one.run_id, one.events) == (other.id, TYPE, "trend", "r1", (9,))
    assert "--by agent --period week" in one.action
