"""The agent `gemini`: its recordings, how it is started, and whatever a stream may hold."""

from __future__ import annotations

import json
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
from loopwright.run.agents.gemini import OLDEST, RULES, SETTINGS, Gemini, GeminiStream
from playing import stand_in
from recordings import cases, replay

PLAIN = Profile()
ENDINGS = {
    "gemini_badjson": Ending.ERROR,
    "gemini_err400": Ending.ERROR,
    "gemini_err401": Ending.NO_ACCESS,
    "gemini_err500": Ending.UNAVAILABLE,
    "gemini_hello": Ending.FINISHED,
    "gemini_tools_default": Ending.DENIED,
    "gemini_tools_yolo": Ending.FINISHED,
}


def _play(name: str) -> tuple[list[Event], Outcome]:
    return replay(GeminiStream(), name)


def _feed(*lines: dict[str, Any]) -> tuple[list[Event], GeminiStream]:
    stream = GeminiStream()
    return [event for line in lines for event in stream.feed(json.dumps(line))], stream


def _briefing(folder: Path, profile: Profile = PLAIN, conversation: str = "") -> Briefing:
    return Briefing("Fix it", folder / "prompt.md", folder, 1, profile, conversation)


def _settings(agent: Gemini, folder: Path, profile: Profile = PLAIN) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(agent.launch(_briefing(folder, profile)).files[SETTINGS])
    return told


@pytest.fixture(autouse=True)
def no_account(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_APPLICATION_CREDENTIALS", "GOOGLE_GEMINI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize("name", sorted(cases("gemini")))
def test_every_recording_ends_as_it_did(name: str) -> None:
    """Each recording is understood to its last line and comes to the end that it had, with a reason."""
    events, outcome = _play(name)
    assert outcome.ending is ENDINGS[name]
    assert bool(outcome.detail) is (outcome.ending is not Ending.FINISHED)
    assert [event.text for event in events if event.kind is EventKind.RAW] == []
    assert len(outcome.conversation) == 36


def test_tools_become_calls_and_results() -> None:
    """Each call has its result with tool, command, path, duration; a shell that exits 3 has no code to tell."""
    events, outcome = _play("gemini_tools_yolo")
    results = [event for event in events if event.kind is EventKind.TOOL_RESULT]
    assert sum(event.kind is EventKind.TOOL_CALL for event in events) == len(results) == 7
    assert [event.is_error for event in results] == [False] * 5 + [True] * 2
    assert results[0].path == "/workspace/gem_tools_yolo/hello.txt"
    assert (results[4].command, results[4].text, results[4].exit_code) == (
        "echo to-stderr >&2; exit 3",
        "to-stderr",
        None,
    )
    assert results[4].duration_s == pytest.approx(0.163)
    assert results[5].fingerprint
    assert outcome.output == "Done: created and edited hello.txt."


def test_usage_is_counted_once() -> None:
    """Tokens are those of the result: what was cached is not sent anew, and models are not added to their sum."""
    _, outcome = _play("gemini_tools_yolo")
    assert outcome.usage == Usage(input=760, output=188, cache_read=320)
    assert (outcome.model, outcome.usage.total) == ("gemini-2.5-flash", 1268)


def test_thoughts_are_counted() -> None:
    """What the model thought is only in the total, and is output."""
    used = {"total_tokens": 372, "input_tokens": 306, "output_tokens": 51, "cached": 120}
    _, stream = _feed({"type": "result", "status": "success", "stats": {**used, "models": {"m": used}}})
    assert stream.usage()[0] == Usage(input=186, output=66, cache_read=120)


def test_a_tool_that_permissions_took_away_was_denied() -> None:
    """Without yolo its own tools do not exist: that is a denial, and a tool that nobody has is a mere error."""
    events, outcome = _play("gemini_tools_default")
    denied = [event.tool for event in events if event.kind is EventKind.DENIAL]
    assert denied == ["write_file", "replace", "run_shell_command", "run_shell_command"]
    assert outcome.detail.startswith("tool calls were denied: write_file, replace")


def test_pieces_of_words_are_one_message() -> None:
    """Words that come in pieces are told once, when something else follows."""
    piece = {"type": "message", "role": "assistant", "delta": True}
    events, stream = _feed(
        {**piece, "content": "Hello "},
        {**piece, "content": "there."},
        {"type": "tool_use", "tool_name": "glob", "tool_id": "1", "parameters": {}},
        {**piece, "content": "IMPOSSIBLE: it is"},
    )
    assert [(event.kind, event.text) for event in events] == [
        (EventKind.MESSAGE, "Hello there."),
        (EventKind.TOOL_CALL, ""),
    ]
    assert stream.outcome(0, "").output == "IMPOSSIBLE: it is"


def test_an_exit_code_is_read_where_it_is_told() -> None:
    """A command that printed nothing tells its exit code in words."""
    events, _ = _feed(
        {"type": "tool_use", "tool_name": "run_shell_command", "tool_id": "1", "parameters": {"command": "exit 3"}},
        {"type": "tool_result", "tool_id": "1", "status": "success", "output": "Command exited with code: 3"},
    )
    assert events[-1].exit_code == 3


@pytest.mark.parametrize(
    ("line", "exit_code", "ending"),
    [
        ({"type": "error", "severity": "error", "message": "Maximum session turns exceeded"}, 53, Ending.MAX_TURNS),
        ({"type": "error", "severity": "warning", "message": "Loop detected, stopping"}, 0, Ending.ERROR),
        ({"type": "error", "severity": "warning", "message": "hm"}, 0, Ending.FINISHED),
        ({"type": "result", "status": "error", "error": {"message": "no words"}}, 429 % 256, Ending.UNAVAILABLE),
        ({"type": "result", "status": "error", "error": {"message": "no words"}}, 403 % 256, Ending.NO_ACCESS),
        ({"type": "result", "status": "error"}, 1, Ending.ERROR),
        ({"type": "result", "status": "error", "error": {"type": "FatalTurnLimitedError"}}, 53, Ending.MAX_TURNS),
        ({"type": "init"}, 41, Ending.NO_ACCESS),
    ],
)
def test_ends_are_told_apart(line: dict[str, Any], exit_code: int, ending: Ending) -> None:
    """The exit code is the status of HTTP in eight bits, or one of its own; a loop that it saw is no work."""
    _, stream = _feed(line, *([] if line["type"] == "result" else [{"type": "result", "status": "success"}]))
    assert stream.outcome(exit_code, "").ending is ending


def test_it_is_started_with_the_prompt_on_stdin(tmp_path: Path) -> None:
    """The prompt may be long; model and conversation are arguments, and what a repository brings is replaced."""
    (tmp_path / ".gemini").mkdir()
    (tmp_path / ".gemini" / ".env").write_text("GOOGLE_GEMINI_BASE_URL=https://evil.example")
    launch = Gemini({}).launch(_briefing(tmp_path, Profile(model="gemini-2.5-pro"), "abc"))
    assert launch.stdin == tmp_path / "prompt.md"
    assert [*launch.argv[3:]] == ["--approval-mode", "yolo", "--model", "gemini-2.5-pro", "--resume", "abc"]
    assert launch.files[".gemini/.env"] == ""
    assert "mcpServers" not in launch.files[SETTINGS]
    assert "generativelanguage.googleapis.com" in launch.hosts


def test_a_profile_becomes_settings(tmp_path: Path) -> None:
    """System prompt, temperature, turns and tools reach it by the settings that it reads in the workspace."""
    profile = Profile(system_prompt="Be brief.", temperature=0.25, max_turns=4, tools="restricted")
    settings = _settings(Gemini({}), tmp_path, profile)
    assert settings["model"] == {"maxSessionTurns": 4}
    assert "run_shell_command" in settings["tools"]["core"]
    assert "web_fetch" not in settings["tools"]["core"]
    assert json.dumps(settings["modelConfigs"]).count("0.25") == 1
    assert settings["context"]["fileName"] == ["GEMINI.md", RULES]
    assert Gemini({}).launch(_briefing(tmp_path, profile)).files[RULES] == "Be brief."
    assert not {"model", "tools", "context", "modelConfigs"} & set(_settings(Gemini({}), tmp_path))


def test_a_base_url_replaces_the_hosts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a base URL only that host is needed, and the key is named as the way to log in."""
    monkeypatch.setenv("GEMINI_API_KEY", "dummy")
    monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", "http://127.0.0.1:8080")
    launch = Gemini({}).launch(_briefing(tmp_path))
    assert launch.hosts == ("127.0.0.1:8080",)
    assert json.loads(launch.files[SETTINGS])["security"] == {"auth": {"selectedType": "gemini-api-key"}}
    assert "dummy" not in repr(launch)


@pytest.mark.parametrize(("version", "usable"), [(OLDEST, True), ("1.2.3", True), ("0.9.0", False), ("hm", False)])
def test_a_version_that_is_too_old_is_refused(tmp_path: Path, version: str, usable: bool) -> None:
    """A version before the oldest that is supported, or none at all, is not usable, with a hint."""
    account = Gemini({"program": stand_in(tmp_path, "gemini", version)}).account()
    assert (account.usable, bool(account.hint)) == (usable, True)
    assert not Gemini({"program": str(tmp_path / "nothing")}).account().usable


def test_the_login_is_found_without_showing_it(tmp_path: Path, own_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The name of the variable is told, never its value."""
    agent = Gemini({"program": stand_in(tmp_path, "gemini", OLDEST)})
    assert agent.available().installed
    assert agent.account().logged_in is False
    (own_home / ".gemini").mkdir()  # who has started it may be logged in by other means
    assert agent.available().logged_in is None
    monkeypatch.setenv("GEMINI_API_KEY", "very secret")
    account = agent.account()
    assert (account.logged_in, account.detail) == (True, "GEMINI_API_KEY")


_TYPES = ("init", "message", "tool_use", "tool_result", "error", "result")
_NAMES = ("role", "content", "tool_name", "tool_id", "parameters", "status", "output", "error", "stats", "message")


@given(lines(_TYPES, _NAMES, ["assistant", {"models": {"m": {"total_tokens": 5}}}]))
def test_no_line_breaks_it(told: list[dict[str, Any]]) -> None:
    """Whatever values stand in its lines, there are events and an outcome, and tokens never go below nothing."""
    events, stream = _feed(*told)
    assert all(isinstance(event.text, str) for event in events)
    assert stream.outcome(0, "").usage.total >= 0
