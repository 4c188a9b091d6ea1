"""The real OpenCode through `loopwright run`: what it does is recorded, judged and paid for as it happened."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from e2e.clis import OPENCODE
from e2e.conftest import Install
from e2e.openai_chat import OpenAIChat, calls, says, serving
from loopwright.ports import Briefing
from loopwright.records.event import EventKind
from loopwright.records.profile import Profile
from loopwright.records.run import Ending
from loopwright.run.agents.opencode import Opencode
from playing import play
from world import Loopwright, Repo

MODEL = "stub/m"
PRICES = {"input": 3, "output": 15, "cache_read": 0.3}
FIX = calls("bash", command="echo 42 > answer", description="fix")
DONE = says("It is 42 now.")


@pytest.fixture
def opencode(install: Install) -> None:
    """Put the real one on the PATH."""
    install(OPENCODE)


def _provide(home: Path, url: str) -> None:
    """Let the user have a provider of their own, with prices."""
    model = {"name": "m", "temperature": True, "cost": PRICES, "limit": {"context": 100_000, "output": 4000}}
    options = {"baseURL": url, "apiKey": "dummy"}
    stub = {"npm": "@ai-sdk/openai-compatible", "name": "stub", "options": options, "models": {"m": model}}
    path = home / ".config" / "opencode" / "opencode.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"provider": {"stub": stub}}))


def _briefing(folder: Path, profile: Profile) -> Briefing:
    workspace = folder / "workspace"
    subprocess.run(["git", "init", "-q", str(workspace)], check=True)
    (folder / "prompt.md").write_text("Make the answer 42")
    return Briefing("Make the answer 42", folder / "prompt.md", workspace, 1, profile)


def _tools(model: OpenAIChat) -> set[str]:
    return {tool["function"]["name"] for tool in model.requests[0]["tools"]}


@pytest.mark.usefixtures("opencode")
def test_it_fixes_what_is_asked(repo: Repo, loopwright: Loopwright, own_home: Path, sandbox: Sequence[str]) -> None:
    """The real one edits by its own shell, the criterion holds, and tokens and cost are what the server gave."""
    with serving(FIX, DONE) as (model, url):
        _provide(own_home, url)
        flags = ("--agent", "opencode", "--model", MODEL, "--json", "--timeout", "120s", *sandbox)
        called = loopwright("run", "Make the answer 42", "--test", "sh test.sh", *flags)
    assert (called.code, called.json["status"]) == (0, "done"), called.err
    used, tokens = model.used, called.json["tokens"]
    assert (tokens["input"], tokens["output"], tokens["cache_read"]) == (used.input, used.output, used.cache_read)
    cost = (used.input * 3 + used.output * 15 + used.cache_read * 0.3) / 1e6
    assert called.json["cost_usd"] == pytest.approx(cost, abs=1e-6)
    assert "Make the answer 42" in model.asked(0)
    assert repo.query("SELECT command, exit_code FROM events WHERE kind = 'tool_result'") == [("echo 42 > answer", 0)]
    assert repo.query("SELECT count(*) FROM events WHERE kind = 'raw'") == [(0,)]


@pytest.mark.usefixtures("opencode")
def test_a_profile_reaches_it_and_a_repositorys_settings_do_not(tmp_path: Path, own_home: Path) -> None:
    """System prompt, temperature, tools and steps are in the request; servers and plug-ins never start."""
    profile = Profile(model=MODEL, system_prompt="MARK-OURS", temperature=0.25, tools="restricted", max_turns=2)
    briefing = _briefing(tmp_path, profile)
    server = {"type": "local", "command": ["touch", "evil-server"]}
    (briefing.workspace / "opencode.json").write_text(
        json.dumps({"mcp": {"a": server}, "permission": {"bash": "deny"}})
    )
    (briefing.workspace / ".opencode" / "plugin").mkdir(parents=True)
    plugin = "require('fs').writeFileSync('evil-plugin', ''); export const A = async () => ({})"
    (briefing.workspace / ".opencode" / "plugin" / "a.js").write_text(plugin)
    (briefing.workspace / "AGENTS.md").write_text("MARK-THEIRS")
    with serving(calls("bash", command="cat AGENTS.md; exit 3", description="look"), DONE) as (model, url):
        _provide(own_home, url)
        events, outcome = play(Opencode({}), briefing, os.environ)
    assert outcome.ending is Ending.MAX_TURNS
    assert _tools(model) >= {"bash", "edit", "read"}
    assert not _tools(model) & {"webfetch", "task", "skill"}
    assert model.requests[0]["temperature"] == 0.25
    assert "MARK-OURS" in model.asked(0)
    assert "MARK-THEIRS" in model.asked(0)
    assert [event.exit_code for event in events if event.kind is EventKind.TOOL_RESULT] == [3]
    assert not list(briefing.workspace.glob("evil*"))


@pytest.mark.usefixtures("opencode")
def test_a_conversation_goes_on(tmp_path: Path, own_home: Path) -> None:
    """The second request has the first conversation in it, and each attempt's tokens are its own."""
    briefing = _briefing(tmp_path, Profile(model=MODEL))
    with serving(DONE) as (model, url):
        _provide(own_home, url)
        first = play(Opencode({}), briefing, os.environ)[1]
        second = play(Opencode({}), replace(briefing, conversation=first.conversation), os.environ)[1]
    assert second.conversation == first.conversation
    assert "It is 42 now." in model.asked(1)
    assert first.usage + second.usage == model.used


@pytest.mark.usefixtures("opencode")
def test_what_lies_outside_is_denied_without_a_sandbox(tmp_path: Path, own_home: Path) -> None:
    """A file outside of the workspace is denied, and that is told; the same is allowed where our sandbox is."""
    briefing = _briefing(tmp_path, Profile(model=MODEL))
    look = calls("read", filePath=str(tmp_path / "prompt.md"))
    with serving(look, DONE, look, DONE) as (_, url):
        _provide(own_home, url)
        alone = play(Opencode({}), briefing, os.environ)[1]
        confined = play(Opencode({}), replace(briefing, confined=True), os.environ)[1]
    assert (alone.ending, alone.detail) == (Ending.DENIED, "tool calls were denied: read")
    assert confined.ending is Ending.FINISHED


@pytest.mark.usefixtures("opencode")
@pytest.mark.parametrize(("status", "ending"), [(401, Ending.NO_ACCESS), (400, Ending.ERROR)])
def test_errors_of_the_server_are_told_apart(tmp_path: Path, own_home: Path, status: int, ending: Ending) -> None:
    """What the server says is what the attempt ended with."""
    with serving(status) as (_, url):
        _provide(own_home, url)
        outcome = play(Opencode({}), _briefing(tmp_path, Profile(model=MODEL)), os.environ)[1]
    assert outcome.ending is ending
    assert f"the stub says {status}" in outcome.detail
