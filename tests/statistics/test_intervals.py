"""Intervals of rates."""

from __future__ import annotations

import pytest

from loopwright.statistics.intervals import wilson


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"), [(0, 10, 0.0, 0.2775), (5, 10, 0.2366, 0.7634), (10, 10, 0.7225, 1.0)]
)
def test_known_intervals(successes: int, trials: int, low: float, high: float) -> None:
    """The interval is Wilson's, as tables have it."""
    assert wilson(successes, trials) == (pytest.approx(low, abs=1e-4), pytest.approx(high, abs=1e-4))


def test_nothing_is_known_of_nothing() -> None:
    """Without a trial, the rate may be anything."""
    assert wilson(0, 0) == (0.0, 1.0)
