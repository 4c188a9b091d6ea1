"""One number beside what is usual."""

from __future__ import annotations

import math

import pytest

from loopwright.measure.beside import deviations, duration, times
from loopwright.records.baseline import Usual


def test_times_and_deviations() -> None:
    """A value is so many medians, and so many robust deviations of the logarithm."""
    usual = Usual(10, 100.0, 30.0, 0.5)
    assert times(250, usual) == 2.5
    assert deviations(100 * math.exp(0.5 * 1.4826), usual) == pytest.approx(1.0)
    assert deviations(10, usual) < 0


def test_where_nothing_is_known() -> None:
    """Without a median or a value nothing stands out; where all are the same, anything else does."""
    assert times(5, Usual()) == deviations(5, Usual()) == deviations(0, Usual(10, 5.0)) == 0
    assert deviations(6, Usual(10, 5.0)) == math.inf
    assert deviations(4, Usual(10, 5.0)) == -math.inf
    assert deviations(5, Usual(10, 5.0)) == 0


@pytest.mark.parametrize(("seconds", "words"), [(59.6, "60 s"), (600, "10 min"), (9000, "2.5 h")])
def test_durations(seconds: float, words: str) -> None:
    """Times are told in the unit that fits."""
    assert duration(seconds) == words
