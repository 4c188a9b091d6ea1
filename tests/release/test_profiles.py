"""What a profile's version sets."""

from __future__ import annotations

import pytest

from loopwright.errors import UsageError
from loopwright.records.profile import Profile, RoleProfile
from loopwright.release.profiles import changed, known_parameters, with_parameters


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


def test_a_role_has_fewer_parameters() -> None:
    """Who plans or reviews only reads and answers: it has an agent, a model, turns and tools, and no review."""
    known = known_parameters("planner/docs")
    assert changed("{}", ["agent=codex", "tools=restricted"], known) == {"agent": "codex", "tools": "restricted"}
    for value in ("review=self", "planning=iterative", "conversation=resume", "agent_options={}"):
        with pytest.raises(UsageError, match=value.partition("=")[0]):
            changed("{}", [value], known)
    assert "review" in known_parameters("worker/docs")


def test_a_profile_keeps_what_it_says_itself() -> None:
    """Only what it leaves open is filled."""
    profile = with_parameters(Profile(model="mine"), {"model": "theirs", "review": "self"})
    assert (profile.model, profile.review) == ("mine", "self")


def test_roles_are_filled_one_by_one() -> None:
    """What a version sets of a role is there where the profile leaves it open."""
    profile = Profile(planner=RoleProfile(model="mine"))
    filled = with_parameters(profile, {"planner": {"model": "theirs", "max_turns": 3}, "verifier": {"agent": "codex"}})
    assert (filled.planner, filled.verifier) == (RoleProfile(model="mine", max_turns=3), RoleProfile("codex"))


def test_a_default_that_is_said_is_said() -> None:
    """What somebody has written stays, also where it is the default."""
    profile = with_parameters(Profile(review="none", said=("review",)), {"review": "self", "model": "theirs"})
    assert (profile.review, profile.model) == ("none", "theirs")
    assert profile.hash == Profile(model="theirs").hash
