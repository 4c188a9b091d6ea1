"""Nothing that somebody wrote is ever more than text; only colours survive."""

from __future__ import annotations

import html
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopwright.export.markup import coloured, text

from .samples import HOSTILE

SPAN = re.compile(r'<span class="([a-z -]+)">|</span>')


def rest(written: str) -> str:
    """Give what is left without our own spans."""
    return SPAN.sub("", written)


@pytest.mark.parametrize("words", HOSTILE)
def test_harm_is_text(words: str) -> None:
    """No tag, no attribute and no sign that steers is left of what means harm."""
    for written in (text(words), coloured(words)):
        assert not re.search(r"[<>\"']", rest(written))
        assert not re.search("[\x00-\x08\x0b-\x1f\u200b\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]", written)


@given(st.text(st.characters(codec=None), max_size=200) | st.text("\x1b[0;1238mJKa<>&\"'\r\n\u202e", max_size=200))
def test_any_words(words: str) -> None:
    """Whatever is written, it is text with spans of ours that are all closed."""
    for written in (text(words), coloured(words)):
        assert not re.search(r"[<>]", rest(written))
        assert written.count("<span") == written.count("</span>")
        written.encode()


def test_colours_survive() -> None:
    """A terminal's colours are classes; a reset ends them, and what is unknown changes nothing."""
    assert coloured("\x1b[1;31mno\x1b[0m yes") == '<span class="bold ink-red">no</span> yes'
    assert coloured("\x1b[38;5;2mgreen\x1b[39m \x1b[48;5;9mx\x1b[m") == (
        '<span class="ink-green">green</span> <span class="on-red">x</span>'
    )
    assert coloured("\x1b[38;2;1;31;3mplain") == "plain"
    assert coloured("\x1b[32ma\x1b[2Kb") == '<span class="ink-green">ab</span>'


def test_lines_that_were_written_over() -> None:
    """Of a progress bar only its last state is left, as a terminal shows it."""
    assert coloured("10%\r50%\rdone\r\nnext") == "done\nnext"


def test_what_can_not_be_seen_is_shown() -> None:
    """A mark of direction is shown by its number; accents, emoji and other scripts stay as they are."""
    assert "U+202E" in text("a\u202eb")
    for words in ("é", "日本語", "🙂", "👩\u200d💻", "עברית", "tab\tline\n"):
        assert html.unescape(text(words)) == words
