"""Passages that say what was said before."""

from __future__ import annotations

import time

import pytest

from loopwright.text.duplicates import duplicates

RUN = "Run the whole test suite before you say that the work is done."


def test_what_is_said_twice_is_found_where_it_stands() -> None:
    """The later passage is given as it stands in the text, with its tokens; the first one stays."""
    text = (
        f"# Work\n\n{RUN} Keep changes small.\n\n- Name files by what they do.\n- {RUN.replace('the whole', 'the')}\n"
    )
    (found,) = duplicates(text)
    assert text[found.start : found.end] == found.text
    assert found.text.strip().endswith("say that the work is done.")
    assert "- Run the test suite" in found.text
    assert (found.like, found.tokens) == ("above", 15)
    left = text[: found.start] + text[found.end :]
    assert RUN in left
    assert duplicates(left) == []


def test_what_is_told_beside_it_counts() -> None:
    """A passage that a file says as well is named with the file, also over the end of a line."""
    beside = {"AGENTS.md": f"# Rules\n\n{RUN.replace(' before', chr(10) + 'before')}\n"}
    assert [one.like for one in duplicates(f"Hello there.\n\n{RUN}", beside)] == ["AGENTS.md"]
    assert duplicates("Something else that has nothing to do with any of those rules.", beside) == []


@pytest.mark.parametrize(
    "other",
    [
        "Don't run the whole test suite before you say that the work is done.",
        "Run the whole test suite after you say that the work is done.",
        "Run the whole test suite 3 times before you say that the work is done.",
        "Run the whole test suite only before you say that the work is done.",
        "Run the whole test suite before you say that the release is done.",
        "Say that the work is done before you run the whole test suite.",
        "Read every file that a change touches, and its tests, from begin to end.",
    ],
)
def test_what_means_something_else_is_no_duplicate(other: str) -> None:
    """A word that turns the meaning, or a number, makes it another passage, however like it is."""
    assert duplicates(f"{RUN}\n\n{other}") == []


def test_code_is_left_alone() -> None:
    """Examples show the same lines again and again, also where a fence is never closed."""
    code = "from somewhere import first, second, third, fourth, fifth, sixth"
    assert duplicates(f"```python\n{code}\n```\n\nThen:\n\n~~~\n{code}\n~~~\n\n```\n{code}\n") == []


def test_short_passages_are_left_alone() -> None:
    """Headings and turns of phrase come again in every text."""
    assert duplicates("## How to work\n\nDo it well.\n\n## How to work\n\nDo it well.") == []


def test_a_huge_text_takes_no_longer_than_a_moment() -> None:
    """However long a prompt is, and whatever is in it."""
    began = time.monotonic()
    duplicates("a b c d e f g h. " * 20_000)
    duplicates(" ".join(f"w{number}" for number in range(50_000)))
    duplicates(". \n" * 50_000)
    assert time.monotonic() - began < 10
