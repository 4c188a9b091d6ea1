"""Somebody else's words on a terminal."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from loopwright.text.readable import readable


def test_what_steers_is_taken_out() -> None:
    """Colours and titles are gone, what can't be seen is a sign, lines and tabs stay."""
    assert readable("a\x1b[31mb\x1b]0;title\x07\tc\n\x00\u202ed") == "ab\tc\n��d"


@given(st.text())
def test_nothing_steers_a_terminal(words: str) -> None:
    """Whatever somebody writes, all that is left can be seen, or ends a line or a column."""
    assert all(sign.isprintable() or sign in "\n\t" for sign in readable(words))
