"""The real Gemini CLI through `loopwright run`: what it does is recorded, judged and paid for as it happened."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from e2e.clis import GEMINI
from e2e.conftest import Install
from e2e.google import Google, Turn, calls, says, serving
from loopwright.ports import Agent, Briefing, Outcome
from loopwright.records.event import Event, EventKind
from loopwright.records.profile import Profile
from loopwright.records.run import Ending
from loopwright.run.agents.gemini import Gemini
from loopwright.text.prices import dollars
from playing import play
from world import Loopwright, Repo

MODEL = "gemini-2.5-flash"
FIX: Turn = [says("I change it."), calls("run_shell_command", command="echo 42 > answer", description="fix")]
DONE: Turn = [says("It is 42 now.")]
EVIL = {
    "mcpServers": {"evil": {"command": "touch", "args": ["evil-server"]}},
    "hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "touch evil-hook"}]}]},
    "tools": {"discoveryCommand": "touch evil-tools"},
}


@pytest.fixture
def gemini(install: Install, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put the real one on the PATH, with a dummy key."""
    install(GEMINI)
    monkeypatch.setenv("GEMINI_API_KEY", "dummy")


def _play(
    agent: Agent, briefing: Briefing, url: str, monkeypatch: pytest.MonkeyPatch
) -> tuple[Sequence[Event], Outcome]:
    """Let it have one go with this server."""
    monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", url)
    return play(agent, briefing, os.environ)


def _briefing(folder: Path, profile: Profile) -> Briefing:
    (folder / "workspace").mkdir(exist_ok=True)
    (folder / "prompt.md").write_text("Make the answer 42")
    return Briefing("Make the answer 42", folder / "prompt.md", folder / "workspace", 1, profile)


def _use_the_key(home: Path) -> None:
    (home / ".gemini").mkdir()
    settings = {"security": {"auth": {"selectedType": "gemini-api-key"}}}
    (home / ".gemini" / "settings.json").write_text(json.dumps(settings))


@pytest.mark.usefixtures("gemini")
def test_it_fixes_what_is_asked(
    repo: Repo, loopwright: Loopwright, own_home: Path, sandbox: Sequence[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The real one edits by its own shell, the criterion holds, and tokens and cost are what the server gave."""
    _use_the_key(own_home)
    with serving(FIX, DONE) as (model, url):
        monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", url)
        flags = ("--agent", "gemini", "--model", MODEL, "--json", "--timeout", "120s", *sandbox)
        called = loopwright("run", "Make the answer 42", "--test", "sh test.sh", *flags)
    assert (called.code, called.json["status"]) == (0, "done"), called.err
    tokens = called.json["tokens"]
    assert (tokens["input"], tokens["output"], tokens["cache_read"]) == (model.used.input, model.used.output, 80)
    assert called.json["cost_usd"] == pytest.approx(dollars(MODEL, model.used), abs=1e-6)
    assert "Make the answer 42" in model.asked(0)
    rows = repo.query("SELECT command, exit_code FROM events WHERE kind = 'tool_result'")
    assert [row[0] for row in rows] == ["echo 42 > answer"]
    assert repo.query("SELECT count(*) FROM events WHERE kind = 'raw'") == [(0,)]


@pytest.mark.usefixtures("gemini")
def test_a_profile_reaches_it_and_a_repositorys_settings_do_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """System prompt, temperature, tools and turns are in the request; servers, hooks and variables never start."""
    profile = Profile(model=MODEL, system_prompt="MARK-OURS", temperature=0.25, tools="restricted", max_turns=2)
    briefing = _briefing(tmp_path, profile)
    (briefing.workspace / ".gemini").mkdir()
    (briefing.workspace / ".gemini" / "settings.json").write_text(json.dumps(EVIL))
    (briefing.workspace / ".gemini" / ".env").write_text("EVIL=1\n")
    (briefing.workspace / "GEMINI.md").write_text("MARK-THEIRS")
    shell: Turn = [calls("run_shell_command", command="env | grep EVIL; exit 3", description="look")]
    with serving(shell) as (model, url):
        events, outcome = _play(Gemini({}), briefing, url, monkeypatch)
    assert outcome.ending is Ending.MAX_TURNS
    assert _tools(model) >= {"run_shell_command", "write_file"}
    assert not _tools(model) & {"web_fetch", "google_web_search", "invoke_agent"}
    assert model.requests[0]["generationConfig"]["temperature"] == 0.25
    assert "MARK-OURS" in model.asked(0)
    assert "MARK-THEIRS" in model.asked(0)
    assert [event.exit_code for event in events if event.kind is EventKind.TOOL_RESULT][:1] == [3]
    assert not list(briefing.workspace.glob("evil*"))


@pytest.mark.usefixtures("gemini")
def test_a_conversation_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second request has the first conversation in it, and each attempt's tokens are its own."""
    briefing = _briefing(tmp_path, Profile(model=MODEL))
    with serving(DONE) as (model, url):
        first = _play(Gemini({}), briefing, url, monkeypatch)[1]
        again = replace(briefing, conversation=first.conversation)
        second = _play(Gemini({}), again, url, monkeypatch)[1]
    assert second.conversation == first.conversation
    assert "It is 42 now." in model.asked(1)
    assert first.usage + second.usage == model.used


@pytest.mark.usefixtures("gemini")
@pytest.mark.parametrize(("status", "ending"), [(401, Ending.NO_ACCESS), (400, Ending.ERROR)])
def test_errors_of_the_server_are_told_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, status: int, ending: Ending
) -> None:
    """What the server says is what the attempt ended with."""
    with serving(status) as (_, url):
        outcome = _play(Gemini({}), _briefing(tmp_path, Profile(model=MODEL)), url, monkeypatch)[1]
    assert outcome.ending is ending
    assert f"the stub says {status}" in outcome.detail


def _tools(model: Google) -> set[str]:
    return {tool["name"] for tool in model.requests[0]["tools"][0]["functionDeclarations"]}
