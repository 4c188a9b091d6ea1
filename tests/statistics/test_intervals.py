"""How certain a share is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopwright.statistics.intervals import lower_bound, wilson


@pytest.mark.parametrize(
    ("hits", "tries", "wanted"),
    [
        (0, 0, (0.0, 1.0)),
        (0, 10, (0.0, 0.278)),
        (10, 10, (0.722, 1.0)),
        (5, 10, (0.237, 0.763)),
        (80, 100, (0.711, 0.867)),
    ],
)
def test_known_intervals(hits: int, tries: int, wanted: tuple[float, float]) -> None:
    """The bounds are those of the books."""
    assert wilson(hits, tries) == pytest.approx(wanted, abs=0.001)


@given(st.integers(1, 10_000), st.data())
def test_the_share_lies_within(tries: int, data: st.DataObject) -> None:
    """An interval holds the share, stays between 0 and 1, and its bound on one side lies within it."""
    hits = data.draw(st.integers(0, tries))
    low, high = wilson(hits, tries)
    assert 0 <= low <= hits / tries <= high <= 1
    assert low <= lower_bound(hits, tries) <= hits / tries
