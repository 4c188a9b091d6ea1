"""The agent `opencode`: its recordings, how it is started, and whatever a stream may hold."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from hostile import lines
from loopwright.ports import Briefing, Outcome
from loopwright.records.budget import Usage
from loopwright.records.event import Event, EventKind
from loopwright.records.profile import Profile
from loopwright.records.run import Ending
from loopwright.run.agents.opencode import OLDEST, RULES, Opencode, OpencodeStream
from playing import stand_in
from recordings import cases, replay

PLAIN = Profile()
ENDINGS = {
    "opencode_err401": Ending.NO_ACCESS,
    "opencode_err500": Ending.ERROR,
    "opencode_hello": Ending.FINISHED,
    "opencode_tools": Ending.FINISHED,
}


def _play(name: str, profile: Profile = PLAIN) -> tuple[list[Event], Outcome]:
    return replay(OpencodeStream(profile), name)


def _feed(*told: dict[str, Any]) -> tuple[list[Event], OpencodeStream]:
    stream = OpencodeStream(PLAIN)
    return [event for line in told for event in stream.feed(json.dumps(line))], stream


def _finish(reason: str, name: str = "p1", **tokens: int) -> dict[str, Any]:
    return {"type": "step_finish", "part": {"id": name, "reason": reason, "tokens": tokens, "cost": 0.5}}


def _error(name: str, **told: Any) -> dict[str, Any]:
    return {"type": "error", "error": {"name": name, "data": told}}


def _briefing(folder: Path, profile: Profile = PLAIN, conversation: str = "", confined: bool = False) -> Briefing:
    return Briefing("Fix it", folder / "prompt.md", folder, 1, profile, conversation, confined=confined)


def _config(folder: Path, profile: Profile = PLAIN, confined: bool = False) -> dict[str, Any]:
    launch = Opencode({}).launch(_briefing(folder, profile, confined=confined))
    told: dict[str, Any] = json.loads(launch.environment["OPENCODE_CONFIG_CONTENT"])
    return told


@pytest.mark.parametrize("name", sorted(cases("opencode")))
def test_every_recording_ends_as_it_did(name: str) -> None:
    """Each recording is understood to its last line and comes to the end that it had, with a reason."""
    events, outcome = _play(name)
    assert outcome.ending is ENDINGS[name]
    assert bool(outcome.detail) is (outcome.ending is not Ending.FINISHED)
    assert [event.text for event in events if event.kind is EventKind.RAW] == []


def test_steps_are_summed() -> None:
    """There is no last line: tokens and cost are those of all steps, as it says them."""
    events, outcome = _play("opencode_tools", Profile(model="stub/m"))
    assert outcome.usage == Usage(input=630, output=161, cache_read=280)
    assert outcome.cost_usd == pytest.approx(0.004389)
    assert sum(event.kind is EventKind.USAGE for event in events) == 7
    assert (outcome.model, outcome.conversation) == ("stub/m", "ses_e21f9d8c4ffeOwoavorblI4EW6")
    assert outcome.output == "Done: created and edited hello.txt."


def test_a_failing_command_is_an_error() -> None:
    """A command that fails is completed to it: the exit code tells."""
    events, _ = _play("opencode_tools")
    results = [event for event in events if event.kind is EventKind.TOOL_RESULT]
    assert [event.exit_code for event in results] == [None, None, None, 0, 3, None]
    assert [event.is_error for event in results] == [False, False, False, False, True, True]
    assert (results[4].command, results[4].text) == ("echo to-stderr >&2; exit 3", "to-stderr\n")
    assert results[4].duration_s == pytest.approx(0.165)
    assert results[0].path == "/workspace/oc_tools/hello.txt"


def test_a_step_is_counted_once() -> None:
    """The same step told twice is one; what the model thought is output."""
    _, stream = _feed(
        _finish("stop", input=10, output=2, reasoning=5), _finish("stop", input=10, output=2, reasoning=5)
    )
    assert stream.usage() == (Usage(10, 7), 0.5)


@pytest.mark.parametrize(
    ("told", "exit_code", "ending"),
    [
        ([_finish("stop")], 0, Ending.FINISHED),
        ([_finish("tool-calls")], 0, Ending.ERROR),
        ([_finish("stop"), {"type": "step_start"}], 0, Ending.ERROR),
        ([_finish("length")], 0, Ending.ERROR),
        ([_finish("content-filter")], 0, Ending.REFUSED),
        ([_finish("stop")], 1, Ending.ERROR),
        ([_error("APIError", message="slow down", statusCode=429)], 1, Ending.UNAVAILABLE),
        ([_error("APIError", message="slow down", statusCode=429), _finish("stop")], 0, Ending.FINISHED),
        ([_error("ProviderAuthError", message="no key")], 1, Ending.NO_ACCESS),
        ([_error("UnknownError")], 0, Ending.ERROR),
    ],
)
def test_ends_are_told_apart(told: list[dict[str, Any]], exit_code: int, ending: Ending) -> None:
    """The last step and the last error say how it ended; an error that was overcome is none."""
    _, stream = _feed(*told)
    assert stream.outcome(exit_code, "").ending is ending


def test_a_conversation_that_is_too_long_is_told() -> None:
    """Too long a conversation is not gone on with, and the server's time to wait is heard."""
    assert _feed(_error("ContextOverflowError", message="x"))[1].outcome(1, "").over_limit
    later = _error("APIError", message="x", statusCode=429, responseHeaders={"retry-after": "60"})
    assert _feed(later)[1].outcome(1, "").retry_at


def test_a_rule_that_prevents_a_call_is_a_denial() -> None:
    """A call that permissions prevent is told as such, and so is the end."""
    words = "The user has specified a rule which prevents you from using this specific tool call."
    state = {"status": "error", "input": {"filePath": "/etc/x"}, "error": words}
    events, stream = _feed(
        {"type": "tool_use", "part": {"tool": "read", "callID": "1", "state": state}}, _finish("stop")
    )
    assert [event.kind for event in events[:3]] == [EventKind.TOOL_CALL, EventKind.DENIAL, EventKind.TOOL_RESULT]
    outcome = stream.outcome(0, "")
    assert (outcome.ending, outcome.detail) == (Ending.DENIED, "tool calls were denied: read")


def test_steps_that_are_used_up_are_told() -> None:
    """With a limit of steps the last one was forced to end; with one more it was not."""
    outcome = _play("opencode_tools", Profile(max_turns=7))[1]
    assert (outcome.ending, outcome.detail) == (Ending.MAX_TURNS, "its 7 steps are used up")
    assert _play("opencode_tools", Profile(max_turns=8))[1].ending is Ending.FINISHED


def test_it_is_started_with_the_prompt_on_stdin(tmp_path: Path) -> None:
    """The prompt may be long; model and session are arguments."""
    launch = Opencode({}).launch(_briefing(tmp_path, Profile(model="anthropic/claude"), "ses_1"))
    assert launch.stdin == tmp_path / "prompt.md"
    assert [*launch.argv[-4:]] == ["--model", "anthropic/claude", "--session", "ses_1"]
    assert (launch.hosts, launch.files) == (("api.anthropic.com", "models.dev"), {})
    assert launch.environment["OPENCODE_DISABLE_PROJECT_CONFIG"] == "1"


def test_what_a_repository_brings_is_emptied(tmp_path: Path) -> None:
    """Plug-ins and settings of the repository are loaded whatever is asked, so they hold nothing; others stay."""
    for name in ("opencode.json", ".opencode/opencode.jsonc", ".opencode/plugin/a.js", ".opencode/plugins/b.ts"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("evil")
    (tmp_path / ".opencode" / "notes.md").write_text("mine")
    assert Opencode({}).launch(_briefing(tmp_path)).files == {
        "opencode.json": "{}",
        ".opencode/opencode.jsonc": "{}",
        ".opencode/plugin/a.js": "",
        ".opencode/plugins/b.ts": "",
    }


def test_a_profile_becomes_configuration(tmp_path: Path) -> None:
    """System prompt, temperature, steps and tools are in the configuration; rules of the repository are still read."""
    (tmp_path / "AGENTS.md").write_text("rules")
    profile = Profile(system_prompt="Print {env:HOME}", temperature=0.25, max_turns=4, tools="restricted")
    config = _config(tmp_path, profile)
    assert config["agent"] == {"build": {"temperature": 0.25, "steps": 4}}
    assert config["instructions"] == [str(tmp_path / RULES), str(tmp_path / "AGENTS.md")]
    assert list(config["permission"].items())[:2] == [("*", "deny"), ("read", "allow")]
    assert "webfetch" not in config["permission"]
    assert Opencode({}).launch(_briefing(tmp_path, profile)).files == {RULES: "Print {env:HOME}"}
    assert _config(tmp_path)["permission"] == {"*": "allow", "external_directory": "deny"}
    assert _config(tmp_path, confined=True)["permission"]["external_directory"] == "allow"


def test_nothing_is_filled_into_the_configuration(tmp_path: Path) -> None:
    """A path with `{env:…}` in it stays what it is: OpenCode would fill in a variable."""
    folder = tmp_path / "{env:HOME}"
    folder.mkdir()
    written = Opencode({}).launch(_briefing(folder, Profile(system_prompt="x"))).environment["OPENCODE_CONFIG_CONTENT"]
    assert "{env:" not in written
    assert json.loads(written)["instructions"] == [str(folder / RULES)]


def test_hosts_of_the_users_own_providers_are_needed(own_home: Path, tmp_path: Path) -> None:
    """A base URL in the user's configuration is a host that it has to reach."""
    config = own_home / ".config" / "opencode" / "opencode.json"
    config.parent.mkdir(parents=True)
    config.write_text('{"provider": {"x": {"options": {"baseURL": "http://127.0.0.1:8080/v1"}}}}')
    hosts = Opencode({}).launch(_briefing(tmp_path, Profile(model="x/m"))).hosts
    assert hosts[0] == "127.0.0.1:8080"
    assert "api.openai.com" in hosts


@pytest.mark.parametrize(("version", "usable"), [(OLDEST, True), ("2.0.0", True), ("0.9.0", False), ("hm", False)])
def test_a_version_that_is_too_old_is_refused(tmp_path: Path, version: str, usable: bool) -> None:
    """A version before the oldest that is supported, or none at all, is not usable, with a hint."""
    account = Opencode({"program": stand_in(tmp_path, "opencode", version)}).account()
    assert (account.usable, bool(account.hint)) == (usable, True)


def test_the_login_is_found_without_showing_it(tmp_path: Path, own_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """That there is a login is told, never what it holds; without one it can't be known whether one is needed."""
    for name in [name for name in os.environ if name.endswith(("_API_KEY", "_TOKEN"))]:
        monkeypatch.delenv(name)
    agent = Opencode({"program": stand_in(tmp_path, "opencode", OLDEST)})
    assert agent.available().installed
    assert (agent.account().logged_in, agent.account().usable) == (None, True)
    auth = own_home / ".local" / "share" / "opencode" / "auth.json"
    auth.parent.mkdir(parents=True)
    auth.write_text("very secret")
    account = agent.account()
    assert account.logged_in is True
    assert "secret" not in repr(account)


_TYPES = ("step_start", "text", "reasoning", "tool_use", "step_finish", "error")
_KNOWN = (
    {"id": "1", "reason": "stop", "tokens": {"input": 10**30, "output": -1, "cache": 3}, "cost": "x"},
    {"tool": "bash", "callID": 3, "state": {"status": "completed", "input": {"command": 3}, "metadata": {"exit": "3"}}},
    {"tool": "bash", "callID": "1", "state": {"status": "error", "input": {"command": "x"}, "metadata": []}},
    {"text": "\ud800"},
)


@given(lines(_TYPES, ("part", "sessionID", "error"), _KNOWN))
def test_no_line_breaks_it(told: list[dict[str, Any]]) -> None:
    """Whatever values stand in its lines, there are events and an outcome, and tokens never go below nothing."""
    events, stream = _feed(*told)
    assert all(isinstance(event.text, str) for event in events)
    assert stream.outcome(0, "").usage.total >= 0
