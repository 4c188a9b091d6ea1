"""How an agent says that the criteria can't be met."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopwright.text.impossible import impossible


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("impossible, because the test wants 2 + 2 = 5", "the test wants 2 + 2 = 5"),
        ("I tried.\nIMPOSSIBLE: no network here.\nSorry.", "no network here."),
        ("  Impossible, Because it is\r\n", "it is"),
        ("**IMPOSSIBLE:** two criteria exclude each other", "two criteria exclude each other"),
        ("\x1b[31mIMPOSSIBLE:\x1b[0m in red", "in red"),
        ("\n" * 100_000 + "IMPOSSIBLE: after much nothing", "after much nothing"),
        ("> impossible: a\n> impossible: b", "b"),
        ("IMPOSSIBLE:\n\nThe file is read-only.\nMore.", "The file is read-only."),
        ("IMPOSSIBLE:", "no reason was given"),
    ],
)
def test_a_reason_is_found(words: str, reason: str) -> None:
    """The last line that claims it gives the reason, in whatever letters and emphasis it stands."""
    assert impossible(words) == reason


@pytest.mark.parametrize(
    "words",
    ["", "done", "it is not impossible: I did it", "This looked impossible, because of X, but works", "impossible"],
)
def test_other_words_are_no_claim(words: str) -> None:
    """A word in the middle of a line, or without its reason's mark, is no claim."""
    assert impossible(words) == ""


@given(st.text(st.characters()))
def test_any_text_is_survived(words: str) -> None:
    """No text raises, and a reason is never long."""
    assert len(impossible(words)) <= 2000
