"""Counts of tokens."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from loopwright.records.budget import Usage

COUNTS = st.integers(0, 10**6)


@given(st.builds(Usage, COUNTS, COUNTS, COUNTS, COUNTS), st.builds(Usage, COUNTS, COUNTS, COUNTS, COUNTS))
def test_what_was_before_is_taken_away(before: Usage, now: Usage) -> None:
    """A sum less its first part is the second, and nothing falls below zero."""
    assert before + now - before == now
    assert min(vars(before - now).values()) >= 0
