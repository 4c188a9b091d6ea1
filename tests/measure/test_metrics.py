"""Counts by group and day become rates and medians."""

from __future__ import annotations

import pytest

from loopwright.measure.metrics import Rate, by_period, metrics_of, start_of, whole_of
from loopwright.records.outcome import Sample, Tally

MONDAY, TUESDAY, NEXT = "2026-11-16", "2026-11-17", "2026-11-23"
TALLIES = [
    Tally("a", MONDAY, 3, 2, 1, 2, 1, 1, 0, 30, 0.5),
    Tally("a", TUESDAY, 1, 1, 1, 1, 0, 0, 1, 10, 0.5),
    Tally("b", NEXT, 9, 0, 0, 0, 0, 0, 0, 5, 0.0),
]
SAMPLES = [
    Sample("a", MONDAY, 10.0, 100, 0.1, 5, 80.0),
    Sample("a", MONDAY, 20.0, 0, 0.0, None, None),
    Sample("a", TUESDAY, 90.0, 300, 0.3, 7, None),
]


def test_groups_are_summed_up() -> None:
    """Rates have counts and intervals, medians leave out what was not measured, the largest group is the first."""
    b, a = metrics_of(TALLIES, SAMPLES)
    assert (a.name, a.period, a.runs, a.tokens, a.cost_usd) == ("a", "", 4, 40, 1.0)
    assert (a.passed, a.first_pass, a.rejected, a.human) == (Rate(2, 3), Rate(1, 3), Rate(1, 4), Rate(1, 4))
    assert (a.seconds_per_task, a.tokens_per_task, a.cost_per_task) == (20.0, 200.0, 0.2)
    assert (a.lines_per_task, a.coverage) == (6.0, 80.0)
    assert (b.passed.share, b.passed.interval, b.seconds_per_task, b.coverage) == (None, None, None, None)


def test_periods_are_apart() -> None:
    """With a period, each group has a row for each of them, the oldest first; weeks begin on Monday."""
    assert [(row.period, row.name, row.runs) for row in metrics_of(TALLIES, SAMPLES, "week")] == [
        (MONDAY, "a", 4),
        (NEXT, "b", 9),
    ]
    assert [(row.period, row.seconds_per_task) for row in metrics_of(TALLIES, SAMPLES, "day")] == [
        (MONDAY, 15.0),
        (TUESDAY, 90.0),
        (NEXT, None),
    ]
    assert by_period(TALLIES, "week")["a"] == [(MONDAY, Rate(2, 3))]


def test_the_whole() -> None:
    """All groups together are one; of nothing there is none."""
    whole = whole_of(TALLIES, SAMPLES)
    assert whole is not None
    assert (whole.runs, whole.seconds_per_task) == (13, 20.0)
    assert whole_of([], []) is None


@pytest.mark.parametrize(
    ("day", "first"), [("2026-11-22", MONDAY), (MONDAY, MONDAY), ("", ""), ("nonsense", "nonsense")]
)
def test_weeks(day: str, first: str) -> None:
    """A day belongs to the week that began on the Monday before it; what is no day stays as it is."""
    assert start_of(day, "week") == first
