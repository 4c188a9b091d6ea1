"""What a human says of the work; the tables of the detectors `quality_rejection` and `delight` have more."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from loopwright.text.human_words import praising, rejecting, taken_back


def test_the_sentence_is_given() -> None:
    """The sentence that rejects or praises is given, and not the others."""
    assert rejecting("I ran it. It still fails. Here is the log.") == "it still fails."
    assert praising("Perfect! Now commit it.") == "perfect!"


def test_one_or_the_other() -> None:
    """What rejects does not praise."""
    assert praising("Great! But it still fails.") == ""
    assert rejecting("Great! But it still fails.")


def test_conditions_and_questions() -> None:
    """What would be, or is asked, is not said; why it is so, is."""
    assert rejecting("check if it still fails") == ""
    assert rejecting("does it still fail?") == ""
    assert rejecting("why is it still failing?")


def test_long_prompts() -> None:
    """Of a long prompt only the first sentence is taken as said of the work."""
    order = "Describe each step of the build and of the release in detail. " * 20
    assert rejecting(f"{order} It still fails.") == ""
    assert rejecting(f"No, that's wrong. {order}") == "no, that's wrong."


def test_taken_back() -> None:
    """Who lets the agent go on takes back that they stopped it."""
    assert all(map(taken_back, ("sorry, continue", "go on", "oops, wrong key", "please continue", "继续")))
    assert not any(map(taken_back, ("", "continue, but not like that: it's wrong", "use the other file")))


@given(st.text(max_size=100))
def test_nothing_is_too_odd(text: str) -> None:
    """Whatever is written, there is an answer, and never both."""
    assert not (rejecting(text) and praising(text))
    taken_back(text)
