from __future__ import annotations

import os

import pytest

from loopwright.errors import AgentError, UnknownName
from loopwright.records.profile import Profile
from loopwright.settings import RunSettings, Settings
from loopwright.wire import choose_profile, first_installed, make_agent

FAST = Profile("fast", "scripted", "m-fast", "Be quick.", agent_options={"script": "s.toml"})


def settings(**run: str) -> Settings:
    return Settings(run=RunSettings(**run), profiles={"fast": FAST})  # type: ignore[arg-type]


def test_a_named_profile() -> None:
    """A named profile is taken as it is written."""
    assert choose_profile(settings(agent="command", model="m"), "fast") == FAST


def test_what_is_given_wins() -> None:
    """Agent, model and options that are given win over the profile; its other options stay."""
    chosen = choose_profile(settings(), "fast", agent="command", model="m-2", agent_options={"command": "x"})
    assert (chosen.agent, chosen.model, chosen.system_prompt) == ("command", "m-2", "Be quick.")
    assert chosen.agent_options == {"script": "s.toml", "command": "x"}


def test_the_settings_are_below() -> None:
    """Without a profile the settings say who works, with which model and which program."""
    chosen = choose_profile(settings(agent="command", agent_command="fix", model="m"))
    assert (chosen.agent, chosen.model, chosen.agent_options) == ("command", "m", {"command": "fix"})


def test_a_command_is_enough() -> None:
    """A program, in the settings or given, needs no agent's name beside it."""
    assert choose_profile(settings(agent_command="fix")).agent == "command"
    assert choose_profile(settings(), agent_options={"command": "x"}).agent == "command"
    assert choose_profile(settings(agent="scripted"), agent_options={"command": "x"}).agent == "command"


def test_the_given_command_wins_over_the_settings() -> None:
    """The settings' program is not used where another is given."""
    chosen = choose_profile(settings(agent_command="fix"), agent_options={"command": "x"})
    assert chosen.agent_options == {"command": "x"}


def test_another_agent_does_not_get_the_command() -> None:
    """The settings' program belongs to the agent `command` and to no other."""
    assert choose_profile(settings(agent_command="fix"), agent="scripted").agent_options == {}


def test_unknown_names() -> None:
    """Unknown profiles and agents are refused with what is known."""
    with pytest.raises(UnknownName, match="did you mean `fast`"):
        choose_profile(settings(), "fsat")
    with pytest.raises(UnknownName, match="did you mean `command`"):
        make_agent(Profile(agent="comand"))


def test_no_agent_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing could be picked, it is said how to name a program; `command` and `scripted` are never picked."""
    monkeypatch.setenv("PATH", os.defpath)
    with pytest.raises(AgentError, match="--agent-command"):
        first_installed()
