"""Totals that grow become what was added."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from loopwright.ingest.cumulative import Cumulative

PARTS = st.lists(st.tuples(st.integers(0, 1000), st.integers(0, 1000)), max_size=20)


@given(PARTS)
def test_what_was_added_is_the_total(parts: list[tuple[int, int]]) -> None:
    """However often a total is told, the sum of what was added is the last one."""
    totals, total, added = Cumulative(), (0, 0), (0, 0)
    for part in parts:
        total = (total[0] + part[0], total[1] + part[1])
        for more in (totals.added(total, part), totals.added(total, part)):
            added = (added[0] + more[0], added[1] + more[1]) if more else added
    assert added == total


def test_a_total_that_starts_anew_is_not_less() -> None:
    """When it falls, what counts is its last part, or all of it where that is not told."""
    totals = Cumulative()
    assert totals.added([100, 10], [100, 10]) == [100, 10]
    assert totals.added([30, 3], [20, 2]) == [20, 2]
    assert totals.added([0, 0], [0, 0]) is None
    assert totals.added([7, 1], None) == [7, 1]


def test_what_another_session_has_told_does_not_count() -> None:
    """The first total of one that continues another holds what was used before."""
    assert Cumulative(continues=True).added([1410, 189], [150, 21]) == [150, 21]
    assert Cumulative(continues=True).added([1410, 189], None) == [1410, 189]
