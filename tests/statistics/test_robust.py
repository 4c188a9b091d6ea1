"""Medians of the others."""

from __future__ import annotations

import math
from statistics import median

from hypothesis import given
from hypothesis import strategies as st

from loopwright.statistics.robust import Others

NUMBERS = st.lists(st.integers(1, 30).map(float) | st.floats(0.01, 1e9), min_size=1, max_size=40)


@given(NUMBERS, st.data())
def test_it_is_what_one_counts_by_hand(values: list[float], data: st.DataObject) -> None:
    """With one number left out, count, median and distances are those of the rest."""
    out = data.draw(st.sampled_from(values))
    rest = list(values)
    rest.remove(out)
    count, middle, distance, log_distance = Others(values).without(out)
    assert count == len(rest)
    if rest:
        wanted = median(rest)
        assert math.isclose(middle, wanted)
        assert math.isclose(distance, median(abs(value - wanted) for value in rest), rel_tol=1e-9, abs_tol=1e-6)
        logs = median(abs(math.log(value / wanted)) for value in rest)
        assert math.isclose(log_distance, logs, rel_tol=1e-9, abs_tol=1e-9)


@given(NUMBERS)
def test_a_stranger_leaves_nothing_out(values: list[float]) -> None:
    """A number that is not among them does not change them."""
    assert Others(values).without(0.001) == Others(values).without()
    assert math.isclose(Others(values).without()[1], median(values))


def test_what_was_not_measured_does_not_count() -> None:
    """Nothing is no number, and no numbers come to nothing."""
    assert Others([0.0, 0.0, 4.0]).without() == (1, 4.0, 0.0, 0.0)
    assert Others([0.0]).without(4.0) == (0, 0.0, 0.0, 0.0)
    assert Others([4.0]).without(4.0) == (0, 0.0, 0.0, 0.0)
