from __future__ import annotations

import os
from pathlib import Path

import pytest

from loopwright.choosing import choose_profile, first_installed, fixed_by, make_agent, not_told
from loopwright.errors import AgentError, UnknownName
from loopwright.records.profile import Profile, RoleProfile
from loopwright.settings import RunSettings, Settings

FAST = Profile("fast", "scripted", "m-fast", "Be quick.", agent_options={"script": "s.toml"})


def settings(**run: str) -> Settings:
    return Settings(run=RunSettings(**run), profiles={"fast": FAST})  # type: ignore[arg-type]


def test_a_named_profile() -> None:
    """A named profile is taken as it is written."""
    assert choose_profile(settings(agent="command", model="m"), "fast") == FAST


def test_what_is_given_wins() -> None:
    """Agent, model and options that are given win over the profile, whose options are for its own agent alone."""
    chosen = choose_profile(settings(), "fast", agent="command", model="m-2", agent_options={"command": "x"})
    assert (chosen.agent, chosen.model, chosen.system_prompt) == ("command", "m-2", "Be quick.")
    assert chosen.agent_options == {"command": "x"}
    chosen = choose_profile(settings(), "fast", agent_options={"seed": 1})
    assert chosen.agent_options == {"script": "s.toml", "seed": 1}


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
    """Where nothing could be picked, all three ways are told; `command` and `scripted` are never picked."""
    monkeypatch.setenv("PATH", os.defpath)
    with pytest.raises(AgentError) as caught:
        first_installed()
    assert all(words in caught.value.hint for words in ("loopwright doctor", "--agent api", "--agent-command"))
    with pytest.raises(AgentError, match="`codex` is not installed\\nhint: install it: npm install --global"):
        make_agent(Profile(agent="codex"))


INSTALLED = ("claude", "codex", "cursor-agent", "gemini", "opencode")
LOGINS = (
    *("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN", "CLAUDE_CONFIG_DIR", "CODEX_API_KEY"),
    *("CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX", "CLAUDE_CODE_USE_FOUNDRY", "CURSOR_API_KEY", "CODEX_HOME"),
    *("OPENAI_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_APPLICATION_CREDENTIALS", "OPENCODE_API_KEY"),
    *("OPENROUTER_API_KEY", "GROQ_API_KEY", "MISTRAL_API_KEY", "DEEPSEEK_API_KEY", "XAI_API_KEY", "GITHUB_TOKEN"),
)


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Install all that can be picked, none of them logged in; each would leave a trace if it were started."""
    folder = tmp_path / "cursor-agent" / "bin"
    folder.mkdir(parents=True)
    for name in INSTALLED:
        (folder / name).write_text(f"#!/bin/sh\ntouch {tmp_path}/started\n")
        (folder / name).chmod(0o755)
    for name in LOGINS:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


def test_who_is_logged_in_is_picked_first(installed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of those that are logged in, by a file or a variable, the first in the order; nothing is started for that."""
    (installed / ".gemini").mkdir()
    (installed / ".gemini" / "oauth_creds.json").touch()
    assert first_installed() == "gemini"
    monkeypatch.setenv("CURSOR_API_KEY", "x")
    assert first_installed() == "cursor"
    monkeypatch.setenv("CODEX_API_KEY", "x")
    assert first_installed() == "codex"
    (installed / ".claude").mkdir()
    (installed / ".claude" / ".credentials.json").touch()
    assert first_installed() == "claude_code"
    assert not (installed / "started").exists()


def test_who_may_be_logged_in_comes_before_who_is_not(installed: Path) -> None:
    """One whose login can't be seen is taken before one that has none, and one that has none before nobody."""
    assert first_installed() == "cursor"
    (installed / "cursor-agent" / "bin" / "cursor-agent").unlink()
    assert first_installed() == "opencode"
    (installed / "cursor-agent" / "bin" / "opencode").unlink()
    assert first_installed() == "claude_code"


@pytest.mark.parametrize(("agent", "hint"), [("claude_code", "/login"), ("codex", "codex login"), ("gemini", "log in")])
def test_who_is_surely_not_logged_in_is_refused(installed: Path, agent: str, hint: str) -> None:
    """No run is begun that could come to nothing; nothing is started to find that out."""
    with pytest.raises(AgentError, match=f"the agent `{agent}` is not logged in\nhint: .*{hint}"):
        make_agent(Profile(agent=agent))
    assert not (installed / "started").exists()


@pytest.mark.parametrize("agent", ["cursor", "opencode"])
def test_who_may_be_logged_in_is_not_refused(installed: Path, agent: str) -> None:
    """Where files and variables do not tell, only an attempt can."""
    assert type(make_agent(Profile(agent=agent))).__name__.lower() == agent


def test_the_api_needs_a_model_and_then_a_key(installed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What has to be named is told first, then what has to be set."""
    with pytest.raises(AgentError, match="a model has to be named for the agent `api`\nhint: --model"):
        make_agent(Profile(agent="api"))
    with pytest.raises(AgentError, match="the agent `api` is not logged in\nhint: set OPENAI_API_KEY"):
        make_agent(Profile(agent="api", model="gpt-5.5"))
    monkeypatch.setenv("OPENAI_API_KEY", "x")
    make_agent(Profile(agent="api", model="gpt-5.5"))


def test_what_flags_fix() -> None:
    """Who names an agent fixes its model as well, and no whole profile can be tried with either."""
    assert fixed_by({"agent": "", "model": ""}) == set()
    assert fixed_by({"agent": "", "model": "m"}) == {"model", "profile"}
    assert fixed_by({"agent": {"command": "x"}, "model": ""}) == {"agent", "model", "profile"}
    assert fixed_by({"agent": "", "model": "", "roles": {"planner": RoleProfile("api")}}) == {"profile"}


def test_what_an_agent_can_not_be_told() -> None:
    """A command has no temperature, and Claude Code takes a number of turns."""
    assert "temperature" in not_told("command")
    assert "max_turns" not in not_told("claude_code")


def test_who_plans_and_reviews() -> None:
    """What is given wins over the profile, that over what is in use, and that over the settings."""
    written = Profile("p", "scripted", verifier=RoleProfile("codex", tools="restricted"))
    found = Settings(RunSettings(planner="api", planner_model="m-run", verifier="gemini"), profiles={"p": written})
    in_use = {"planner": {"model": "m-used", "max_turns": 3}, "verifier": {"agent": "codex", "model": "gpt"}}
    chosen = choose_profile(found, "p", in_use=in_use)
    assert chosen.planner == RoleProfile("api", "m-used", max_turns=3)
    assert chosen.verifier == RoleProfile("codex", "gpt", tools="restricted")
    given = {"planner": RoleProfile("claude_code"), "verifier": RoleProfile(model="o")}
    chosen = choose_profile(found, "p", in_use=in_use, roles=given)
    assert chosen.planner == RoleProfile("claude_code", max_turns=3)
    assert chosen.verifier == RoleProfile("codex", "o", tools="restricted")


def test_a_program_that_reviews() -> None:
    """The settings' program is who reviews as `command`, unless the worker is a program: then it is the same one."""
    chosen = choose_profile(settings(agent="codex", verifier="command", agent_command="look"))
    assert chosen.part("reviewer").agent_options == {"command": "look"}
    chosen = choose_profile(settings(verifier="command", agent_command="look"), agent_options={"command": "fix"})
    assert chosen.part("reviewer").agent_options == {"command": "fix"}
