"""What an author says in a message, without what they only show."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from loopwright.text.own_words import sentences


def test_sentences() -> None:
    """A text is taken apart at its sentences and lines, in lower case, without its dress."""
    assert sentences("# All **Done**.\n\n- It works! Try it.\n1. Next") == ["all done.", "it works!", "try it.", "next"]


def test_what_is_only_shown() -> None:
    """Code, quotes and tables are not the author's words; what stands in the middle of a sentence leaves a mark."""
    text = 'Run `make` and "see".\n> quoted\n| a | b |\n\n```\ncode\n```\n~~~\nmore\n~~~\n    indented\nThe end'
    assert sentences(text) == ["run x and x .", "the end"]


def test_single_quotes() -> None:
    """What stands in single quotes is quoted; an apostrophe is none."""
    assert sentences("It says 'all is well', don't it? The users' one isn't.") == [
        "it says x , don't it?",
        "the users' one isn't.",
    ]


def test_a_fence_that_never_ends() -> None:
    """What follows a fence that is not closed is code."""
    assert sentences("Before.\n```\nafter") == ["before."]


def test_other_scripts() -> None:
    """Chinese sentences end without a space."""
    assert sentences("不对。再试一次！") == ["不对。", "再试一次！"]


def test_long_texts() -> None:
    """Of a long text the beginning and the end are looked at."""
    said = sentences("First. " + "middle " * 10_000 + "end. Last.")
    assert (said[0], said[-1]) == ("first.", "last.")
    assert sum(map(len, said)) < 20_000


@given(st.text(max_size=100))
def test_nothing_is_too_odd(text: str) -> None:
    """Whatever is written, there are no empty sentences in it."""
    assert all(sentence.strip() for sentence in sentences(text))
