"""The agent `acp`: what it is told, how its lines and its end are read, and a whole run with it."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from loopwright.errors import LoopwrightError
from loopwright.ports import Agent, Briefing
from loopwright.records.budget import Usage
from loopwright.records.event import Event, EventKind
from loopwright.records.profile import Profile
from loopwright.records.run import Ending
from loopwright.run.agents.acp import Acp, AcpStream
from loopwright.text.prices import dollars
from recordings import replay
from world import Loopwright, Repo

TESTS = Path(__file__).parent.parent.parent


def feed(stream: AcpStream, *lines: tuple[str, Any]) -> list[Event]:
    return [event for kind, told in lines for event in stream.feed(json.dumps({"k": kind, "d": told}))]


@pytest.mark.parametrize(
    ("name", "tokens", "cost", "model"),
    [
        ("acp_claude_tools", Usage(1080, 188, 28000, 400), 0.01568, "default"),
        ("acp_codex_tools", Usage(760, 188, 320), 0.0, "gpt-5.5"),
        ("acp_gemini_tools", Usage(1080, 188), 0.0, "gemini-2.5-flash"),
        ("acp_opencode_oc", Usage(120, 26, 40), 0.004389, "stub/stub-model"),
    ],
)
def test_every_recording_ends_as_it_did(name: str, tokens: Usage, cost: float, model: str) -> None:
    """Four agents: no line is unknown, and words, tokens, cost, model and session come out."""
    events, outcome = replay(AcpStream(), name)
    assert [event for event in events if event.kind is EventKind.RAW] == []
    assert [event.kind.value for event in events[-2:]] == ["usage", "result"]
    assert (outcome.ending, outcome.output) == (Ending.FINISHED, "Done: created and edited hello.txt.")
    assert (outcome.usage, outcome.model) == (tokens, model)
    assert outcome.cost_usd == pytest.approx(cost or dollars(model, tokens))
    assert outcome.cost_usd > 0
    assert outcome.conversation and outcome.version


@pytest.mark.parametrize(
    ("reason", "ending"),
    [
        ("end_turn", Ending.FINISHED),
        ("max_tokens", Ending.ERROR),
        ("max_turn_requests", Ending.MAX_TURNS),
        ("refusal", Ending.REFUSED),
        ("cancelled", Ending.ERROR),
        ("from_the_future", Ending.ERROR),
    ],
)
def test_each_stop_reason_has_its_ending(reason: str, ending: Ending) -> None:
    """Only the end of a turn is an end; each other reason says what happened."""
    stream = AcpStream()
    feed(stream, ("session", {"sessionId": "s"}), ("PROMPT_RESPONSE", {"stopReason": reason}))
    outcome = stream.outcome(0 if reason == "end_turn" else 1, "")
    assert (outcome.ending, bool(outcome.detail)) == (ending, reason != "end_turn")


@pytest.mark.parametrize(
    ("words", "ending"),
    [
        ("Authentication required", Ending.NO_ACCESS),
        ("Internal error: 429 rate limit reached, retry in 5 minutes", Ending.UNAVAILABLE),
        ("Invalid params", Ending.ERROR),
    ],
)
def test_an_error_is_judged_by_its_words(words: str, ending: Ending) -> None:
    """What the agent complains of tells whether to wait, to log in, or to give up."""
    stream = AcpStream()
    (event,) = feed(stream, ("error", {"message": words}))
    assert (event.kind, event.is_error) == (EventKind.RESULT, True)
    assert stream.outcome(1, "").ending is ending


def test_denied_tools_are_an_ending() -> None:
    """An agent that finished, but was denied something, says so."""
    stream = AcpStream()
    feed(stream, ("PERMISSION", {"tool": {"toolCallId": "c", "kind": "edit"}, "denied": "outside"}))
    feed(stream, ("PROMPT_RESPONSE", {"stopReason": "end_turn"}))
    outcome = stream.outcome(0, "")
    assert (outcome.ending, outcome.detail) == (Ending.DENIED, "tool calls were denied: edit")


@pytest.mark.parametrize(
    ("agent", "resumed", "cost"),
    [("OpenCode", True, 0.2), ("OpenCode", False, 0.5), ("gemini-cli", True, 0.5)],
)
def test_what_a_session_cost_before_is_not_counted_twice(agent: str, resumed: bool, cost: float) -> None:
    """Of an agent whose cost counts on when a session is loaded, only what came on top is this attempt's."""
    first = AcpStream()
    paid = {"sessionUpdate": "usage_update", "cost": {"amount": 0.3}}
    met = ("init", {"agentInfo": {"name": agent, "version": "1"}})
    stop = ("PROMPT_RESPONSE", {"stopReason": "end_turn"})
    feed(first, met, ("session", {"sessionId": "s"}), ("update", paid), stop)
    name = first.outcome(0, "").conversation
    briefing = Briefing("Fix it", Path("p.md"), Path(), 2, conversation=name)
    player = Acp({"command": "player"})
    assert json.loads(player.launch(briefing).argv[-2])["conversation"] == "s"
    second = player.stream(briefing)
    assert isinstance(second, AcpStream)
    paid["cost"] = {"amount": 0.5}
    feed(second, met, ("session", {"sessionId": "s", "resumed": resumed}), ("update", paid), stop)
    assert second.outcome(0, "").cost_usd == pytest.approx(cost)


def test_a_cost_that_nobody_knows_is_told() -> None:
    """Without a cost and without a price for the model, it counts as nothing, and a note says so."""
    stream = AcpStream()
    events = feed(stream, ("PROMPT_RESPONSE", {"stopReason": "end_turn", "usage": {"inputTokens": 5}}))
    assert [event.kind.value for event in events] == ["note", "usage", "result"]
    assert "cost unknown" in events[0].text and stream.usage() == (Usage(5), 0.0)


def test_lines_that_nobody_knows_are_raw() -> None:
    """They are kept and counted; what is replayed of an old session is not told again."""
    stream = AcpStream()
    events = feed(stream, ("update", {"sessionUpdate": "new"}), ("else", {}), ("PROMPT_RESPONSE", {}), ("replay", {}))
    assert [event.kind for event in events] == [EventKind.RAW] * 3
    assert stream.outcome(0, "").detail.startswith("it ended without a result, and printed `{")


def test_a_session_that_can_not_be_loaded_is_no_conversation() -> None:
    """Where the agent has no way to load a session, none is named."""
    stream = AcpStream()
    feed(stream, ("session", {"sessionId": "s", "resumable": False}))
    assert stream.outcome(0, "").conversation == ""


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"command": ""},
        {"command": "'"},
        {"command": [3]},
        {"command": "x", "hosts": "one"},
        {"command": "x", "model": "y"},
    ],
)
def test_options_that_make_no_sense_are_refused(options: dict[str, Any]) -> None:
    """They are refused with a hint."""
    with pytest.raises(LoopwrightError) as caught:
        Acp(options)
    assert caught.value.hint


def test_it_is_started_with_what_it_needs(tmp_path: Path) -> None:
    """Command, model, session and needs are handed on; a program that is not there is not installed."""
    agent: Agent = Acp({"command": "no-such-program --acp", "hosts": ["api.example.com"], "variables": ["EXAMPLE_*"]})
    briefing = Briefing("Fix it", tmp_path / "p.md", tmp_path, 1, Profile(model="big"), "session-1", confined=True)
    launch = agent.launch(briefing)
    told = {"model": "big", "conversation": "session-1", "confined": True}
    assert json.loads(launch.argv[-3]) == told
    assert launch.argv[-2:] == ["/nonexistent/no-such-program", "--acp"]
    assert Acp({"command": "sh -c x"}).launch(briefing).argv[-3] == shutil.which("sh")
    assert (launch.hosts, launch.variables, launch.login) == (["api.example.com"], ["EXAMPLE_*"], [])
    assert not agent.available().installed and "no-such-program" in agent.available().hint
    assert Acp({"command": sys.executable}).available().installed


@pytest.mark.parametrize(("sandbox", "path", "kind"), [("off", "/outside", "denial"), ("auto", "more", "tool_result")])
def test_a_run_is_done(repo: Repo, loopwright: Loopwright, sandbox: str, path: str, kind: str) -> None:
    """An agent that speaks the protocol does the work of a run; what it asks for outside of the clone is denied."""
    player = [sys.executable, str(TESTS / "acp_agent.py"), "write:answer=42\n", f"permission:{path}"]
    repo.write(
        "loopwright.toml",
        f'[profiles.player]\nagent = "acp"\n[profiles.player.agent_options]\ncommand = {json.dumps(player)}\n',
    )
    repo.commit("settings")
    flags = ("--test", "sh test.sh", "--profile", "player", "--sandbox", sandbox)
    called = loopwright("run", "Fix the answer", *flags, "--json")
    assert (called.code, called.json["status"], called.json["iterations"]) == (0, "done", 1)
    assert called.json["tokens"] == {"input": 100, "output": 30, "cache_read": 20, "cache_write": 0}
    rows = repo.query("SELECT kind, tool, path FROM events WHERE tool IS NOT NULL ORDER BY seq")
    assert (kind, "edit", path) in rows and ("tool_result", "edit", "answer") in rows
