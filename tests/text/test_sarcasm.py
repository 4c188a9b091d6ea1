"""Praise that is meant, and praise that is not."""

from __future__ import annotations

import pytest

from loopwright.text.sarcasm import is_sarcastic


@pytest.mark.parametrize(
    "sentence",
    [
        "great job breaking the build.",
        "nice work deleting prod",
        "awesome job dropping the users table",
        "well done, the site is offline",
        "thanks, i hate it",
        "so where is the feature i asked for?",
        "where did my config go?",
        "did you even run it?",
        "great work making it worse",
    ],
)
def test_not_meant(sentence: str) -> None:
    """A harmful deed, a complaint and a question for what is missing show it."""
    assert is_sarcastic(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "great job removing the dead code.",
        "nice work deleting the old files",
        "great job breaking it down into small parts",
        "where is the config stored?",
        "what about the docs?",
        "now delete the old branch.",
    ],
)
def test_meant(sentence: str) -> None:
    """What is of use, a plain question and an order do not."""
    assert not is_sarcastic(sentence)
