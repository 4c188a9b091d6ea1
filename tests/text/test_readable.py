"""Somebody else's words on a terminal."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from loopwright.text.readable import readable


def test_what_steers_is_taken_out() -> None:
    """Colours and titles are gone, what can't be seen is a sign, lines and tabs stay."""
    assert readable("a\x1b[31mb\x1b]0;title\x07\tc\n\x00\u202ed") == "ab\tc\n��d"


def test_nothing_is_hidden() -> None:
    """What would write over other words, or swallow all that follows, hides none of them; ends of lines are ends."""
    assert readable("it deleted all\rall is well\r\nnext\r\n") == "it deleted all�all is well\nnext\n"
    assert readable("seen\x1b]0;not ended\nseen too\x08") == "seen�]0;not ended\nseen too�"


@given(st.text())
def test_nothing_steers_a_terminal(words: str) -> None:
    """Whatever somebody writes, all that is left can be seen, or ends a line or a column."""
    assert all(sign.isprintable() or sign in "\n\t" for sign in readable(words))
