"""What a human wrote, and what they only pasted; the table of `quality_rejection` has more."""

from __future__ import annotations

import time

from hypothesis import given
from hypothesis import strategies as st

from loopwright.text.pasted import unpasted


def test_a_paragraph_from_its_first_pasted_line() -> None:
    """A paragraph is left out from the line on that shows itself pasted; what comes after it is the human's."""
    assert unpasted("see:\nERROR no\nmore of it\n\nmine") == "see:\n\nmine"


def test_blocks_between_tags() -> None:
    """What stands between tags is pasted, blank lines too; a tag that is never closed is a word."""
    assert unpasted("<out>\na\n\nb</out>\nmine") == "mine"
    assert unpasted("<T> is a type\nmine") == "<T> is a type\nmine"


def test_a_humans_lines_stay() -> None:
    """Plain words, lists, names of files and times of the day are a human's."""
    text = "fix a.py:10\n- error handling is odd\nat 10:30 it stops\n# Title\n[Image #1] see"
    assert unpasted(text) == text


@given(st.text(max_size=200))
def test_nothing_is_added(text: str) -> None:
    """Whatever is pasted, only whole lines go."""
    assert set(unpasted(text).split("\n")) <= {"", *text.splitlines()}


def test_hostile_prompts_are_read_in_no_time() -> None:
    """A prompt of any size and shape takes a moment."""
    began = time.perf_counter()
    for shape in ("<a>", "<a>\n", "</a>\n<a>\n", "a.", "at x", "=" * 3, "\n", "test x ... "):
        unpasted(shape * 30_000)
    assert time.perf_counter() - began < 2.0
