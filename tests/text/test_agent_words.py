"""What an agent says of its own work; the tables of `escalation` and `false_done` have more."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopwright.text.agent_words import Claim, claim, helpless


@pytest.mark.parametrize(
    ("words", "about"),
    [
        *(("All tests pass.", "tests"), ("Lint passes.", "build"), ("Tests and lint pass.", "all")),
        *(("Everything is green.", "all"), ("Done.", "done"), ("It compiles cleanly.", "build")),
        *(("I've fixed it. All tests pass.", "tests"), ("The build is green.", "build")),
    ],
)
def test_what_is_claimed(words: str, about: str) -> None:
    """A claim says what it is of; one of tests or of a build says more than that it is done."""
    found = claim(words)
    assert found
    assert found[0] == about


@pytest.mark.parametrize("words", ["", "Tests should pass.", "Two tests still fail.", "Let me check that tests pass."])
def test_no_claim(words: str) -> None:
    """Plans, and failures that are named, claim nothing."""
    assert claim(words) is None


def test_helpless() -> None:
    """The sentence that asks for help is given."""
    assert helpless("Two are done. I'm stuck on the third.") == "i'm stuck on the third."
    assert helpless("If I'm stuck, I'll ask.") == ""


@given(st.text(max_size=100))
def test_nothing_is_too_odd(text: str) -> None:
    """Whatever is written, there is an answer."""
    found = claim(text)
    assert found is None or (found[0] in get_args(Claim) and found[1])
    assert isinstance(helpless(text), str)
