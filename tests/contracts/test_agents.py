"""What every agent has to be, whoever wrote it: run over all that the registry names."""

from __future__ import annotations

from pathlib import Path

import pytest

from loopwright import registry
from loopwright.errors import AgentError, UnknownName
from loopwright.ports import Agent, Availability, Briefing
from loopwright.records.event import EventKind
from loopwright.records.profile import Profile
from loopwright.records.run import Ending

AGENTS = registry.names(registry.AGENTS)

OPTIONS: dict[str, dict[str, object]] = {"command": {"command": "true"}, "scripted": {"script": "script.toml"}}
OPTIONS |= {"acp": {"command": "agent --acp"}}
"""What an agent can't be made without."""

LINES = (
    "plain words",
    '{"type": "nobody knows this"}',
    "{",
    "",
    "\x00",
    "[" * 10_000,
    '{"type": "result"}',
    "9" * 5000,
)


def make(name: str) -> Agent:
    agent: Agent = registry.load(registry.AGENTS, name)(OPTIONS.get(name, {}))
    return agent


@pytest.mark.parametrize("name", AGENTS)
def test_an_agent_says_whether_it_can_be_used(name: str) -> None:
    """An agent tells whether it is installed and, where it is not, what to do; it is never picked without options."""
    agent = make(name)
    found = agent.available()
    assert isinstance(found, Availability)
    assert found.installed or found.hint
    assert agent.automatic in (True, False)
    assert not (agent.automatic and name in OPTIONS)


@pytest.mark.parametrize("name", sorted(OPTIONS))
def test_an_agent_without_its_options_says_what_is_missing(name: str) -> None:
    """What an agent can't do without is asked for by name, with a hint."""
    with pytest.raises(AgentError) as caught:
        registry.load(registry.AGENTS, name)({})
    assert caught.value.hint


@pytest.mark.parametrize("name", AGENTS)
def test_an_agent_is_started_with_arguments(name: str, tmp_path: Path) -> None:
    """A launch is a list of words, never a line for a shell to take apart."""
    prompt = tmp_path / "prompt.md"
    prompt.write_text("Fix it")
    launch = make(name).launch(Briefing("Fix it", prompt, tmp_path, 1, Profile(model="a-model")))
    assert launch.argv
    assert all(isinstance(word, str) for word in launch.argv)


@pytest.mark.parametrize("name", AGENTS)
def test_no_line_breaks_a_stream(name: str) -> None:
    """Whatever an agent prints, its stream gives events and an outcome, and a failing exit is an error."""
    stream = make(name).stream(Briefing("Fix it", Path("prompt.md"), Path(), 1))
    events = [event for line in LINES for event in stream.feed(line)]
    assert all(isinstance(event.kind, EventKind) for event in events)
    outcome = stream.outcome(3, "it broke")
    assert outcome.ending is not Ending.FINISHED
    assert outcome.detail
    usage, cost = stream.usage()
    assert usage.total == 0
    assert cost == 0


@pytest.mark.parametrize("name", AGENTS)
def test_an_option_that_it_does_not_know_is_refused(name: str) -> None:
    """A wrong word is refused by name, and never passes for one that is set."""
    with pytest.raises(UnknownName, match=f"no option `argument` of the agent `{name}`\\nhint: .*known: [a-z]"):
        registry.load(registry.AGENTS, name)({**OPTIONS.get(name, {}), "argument": "x"})


PROGRAMS = {"claude_code": "claude", "codex": "codex", "cursor": "cursor-agent", "gemini": "gemini"}
PROGRAMS |= {"opencode": "opencode", "acp": "agent"}


@pytest.mark.parametrize("name", PROGRAMS)
def test_nobody_else_supplies_its_program(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The user's own program is started, by its full name, and not one that the repository or the workspace brings."""
    repository, workspace = tmp_path / "repository", tmp_path / "workspace"
    planted = [place / "node_modules" / ".bin" / "cursor-agent" for place in (repository, workspace)]
    own = tmp_path / "cursor-agent" / "bin"
    for folder in (*planted, own):
        folder.mkdir(parents=True)
        (folder / PROGRAMS[name]).write_text("#!/bin/sh\n")
        (folder / PROGRAMS[name]).chmod(0o755)
    (repository / ".git").mkdir()
    monkeypatch.chdir(repository)
    briefing = Briefing("Fix it", tmp_path / "prompt.md", workspace, 1)
    monkeypatch.setenv("PATH", ":".join(map(str, (*planted, own))))
    assert str(own / PROGRAMS[name]) in make(name).launch(briefing).argv
    (own / PROGRAMS[name]).unlink()
    words = make(name).launch(briefing).argv
    assert f"/nonexistent/{PROGRAMS[name]}" in words
    monkeypatch.setenv("PATH", str(planted[0]))
    assert not make(name).available().installed
