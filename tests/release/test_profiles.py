"""What a profile's version sets."""

from __future__ import annotations

import pytest

from loopwright.errors import UsageError
from loopwright.records.profile import Profile
from loopwright.release.profiles import changed, with_parameters


def test_values_are_set_and_taken_out() -> None:
    """NAME=VALUE sets, NAME= takes out, and numbers are numbers."""
    found = changed("{}", ["model=gpt-5.5", "temperature=0.5", "max_turns=20", "review=self"])
    assert found == {"model": "gpt-5.5", "temperature": 0.5, "max_turns": 20, "review": "self"}
    assert changed('{"model": "m", "review": "self"}', ["model="]) == {"review": "self"}


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("model", "sets nothing"),
        ("modle=x", "modle"),
        ("review=selff", "selff"),
        ("temperature=warm", "not a number"),
        ("agent_options={}", "agent_options"),
        ("system_prompt=x", "system_prompt"),
    ],
)
def test_what_can_not_be_set(value: str, words: str) -> None:
    """A name that is none, a value that is not possible, and what starts programs are refused."""
    with pytest.raises(UsageError, match=words):
        changed("{}", [value])


def test_a_profile_keeps_what_it_says_itself() -> None:
    """Only what it leaves open is filled."""
    profile = with_parameters(Profile(model="mine"), {"model": "theirs", "review": "self"})
    assert (profile.model, profile.review) == ("mine", "self")
