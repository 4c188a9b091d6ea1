"""Words that are not what they look like are shown as what they are."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopwright.text.lookalikes import undisguised


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("deploy all", "deploy all"),
        ("two\nlines\tand more", "two lines and more"),
        ("a \u202ereversed\u202c word", "a \\u202ereversed\\u202c word"),
        ("zero\u200bwidth", "zero\\u200bwidth"),
        ("p\u0430ypal", "p\\u0430ypal"),
        ("Привет, мир", "Привет, мир"),
        ("naïve café, größer", "naïve café, größer"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("日本語 text", "日本語 text"),
    ],
)
def test_what_is_shown(text: str, shown: str) -> None:
    """Marks that turn text, signs that nobody sees, and letters of other scripts in a Latin word are escaped."""
    assert undisguised(text) == shown


@given(st.text())
def test_one_line_without_control(text: str) -> None:
    """Whatever comes in, one line comes out that steers nothing."""
    found = undisguised(text)
    assert found.isprintable()
    assert undisguised(found) == found
