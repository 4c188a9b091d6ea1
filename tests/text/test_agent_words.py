"""What an agent says at the end of its turn; the table of `escalation` has more."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from loopwright.text.agent_words import helpless, question


def test_helpless() -> None:
    """The sentence that asks for help is given."""
    assert helpless("Two are done. I'm stuck on the third.") == "i'm stuck on the third."
    assert helpless("If I'm stuck, I'll ask.") == ""


def test_question() -> None:
    """What is asked at the end is given; what was asked long before, or is quoted, is not."""
    assert question("I looked. Is it wrong? I can fix it.") == "is it wrong?"
    assert question("Is it wrong? Yes. I fixed it. And tested it. And more.") == ""
    assert question("> is it wrong?\n\nFixed.") == ""


@given(st.text(max_size=100))
def test_nothing_is_too_odd(text: str) -> None:
    """Whatever is written, there is an answer."""
    assert isinstance(helpless(text), str)
    assert not question(text) or question(text).endswith("?")
