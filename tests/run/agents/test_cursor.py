"""The agent `cursor`: streams written by hand from its documentation, since it was never run by us."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from hostile import lines
from loopwright.ports import Briefing, Launch
from loopwright.records.budget import Usage
from loopwright.records.event import Event, EventKind
from loopwright.records.profile import Profile
from loopwright.records.run import Ending
from loopwright.run.agents.cursor import Cursor, CursorStream

PLAIN = Profile()
INIT = {
    "type": "system",
    "subtype": "init",
    "session_id": "chat-1",
    "model": "Claude 4.5 Sonnet",
    "apiKeySource": "env",
}
USER = {"type": "user", "message": {"role": "user", "content": [{"type": "text", "text": "Fix it"}]}}
SUCCESS = {"type": "result", "subtype": "success", "is_error": False, "duration_ms": 5234, "result": "All done."}


def _feed(*told: dict[str, Any], prefix: str = "") -> tuple[list[Event], CursorStream]:
    stream = CursorStream()
    return [event for line in told for event in stream.feed(prefix + json.dumps(line))], stream


def _says(text: str, **told: Any) -> dict[str, Any]:
    return {"type": "assistant", "message": {"role": "assistant", "content": [{"type": "text", "text": text}]}, **told}


def _call(subtype: str, at: int, **told: Any) -> dict[str, Any]:
    return {"type": "tool_call", "subtype": subtype, "call_id": "c1", "timestamp_ms": at, "tool_call": told}


def _launch(folder: Path, profile: Profile = PLAIN, prompt: str = "Fix it", **told: Any) -> Launch:
    return Cursor({"program": "sh"}).launch(Briefing(prompt, folder / "prompt.md", folder, 1, profile, **told))


def test_a_documented_stream_is_understood() -> None:
    """Words, a file that is written, a command that fails, and the end: by the documentation, not from a recording."""
    shell = {"shellToolCall": {"args": {"command": "false"}}}
    failed = {"shellToolCall": {**shell["shellToolCall"], "result": {"failure": {"exitCode": 1, "stderr": "boom"}}}}
    write = {"writeToolCall": {"args": {"path": "a.txt"}}}
    written = {"writeToolCall": {**write["writeToolCall"], "result": {"success": {"path": "a.txt", "linesCreated": 1}}}}
    events, stream = _feed(
        *(INIT, USER, _says("I'll look.")),
        *(_call("started", 1000, **write), _call("completed", 1500, **written)),
        *(_call("started", 2000, **shell), _call("completed", 2250, **failed)),
        *(_says("All done."), {**SUCCESS, "session_id": "chat-1"}),
    )
    assert [event.kind.value for event in events] == [
        *("system", "message", "tool_call", "tool_result", "tool_call", "tool_result"),
        *("message", "usage", "result"),
    ]
    assert (events[3].tool, events[3].path, events[3].is_error, events[3].duration_s) == ("write", "a.txt", False, 0.5)
    assert (events[5].command, events[5].exit_code, events[5].text, events[5].is_error) == ("false", 1, "boom", True)
    outcome = stream.outcome(0, "")
    assert (outcome.ending, outcome.output, outcome.conversation) == (Ending.FINISHED, "All done.", "chat-1")
    assert outcome.model == "Claude 4.5 Sonnet"


def test_usage_is_in_camel_case() -> None:
    """Tokens are read from the result, each kind by itself."""
    usage = {"inputTokens": 100, "outputTokens": 20, "cacheReadTokens": 40, "cacheWriteTokens": 5}
    _, stream = _feed(INIT, {**SUCCESS, "usage": usage})
    assert stream.outcome(0, "").usage == Usage(100, 20, 40, 5)
    assert _feed(INIT, SUCCESS)[1].outcome(0, "").usage == Usage()


def test_partial_output_is_told_once() -> None:
    """Pieces, and the one or two times that the whole is repeated, are one message; so are pieces without a whole."""
    events, _ = _feed(
        *(_says("Hel", timestamp_ms=1), _says("lo.", timestamp_ms=2)),
        *(_says("Hello.", timestamp_ms=3, model_call_id="m"), _says("Hello.")),
        _call("started", 4, readToolCall={"args": {"path": "a"}}),
        _says("Bye.", timestamp_ms=5),
        SUCCESS,
    )
    assert [event.text for event in events if event.kind is EventKind.MESSAGE] == ["Hello.", "Bye."]


def test_thoughts_come_in_pieces() -> None:
    """What it thinks is one event."""
    delta = {"type": "thinking", "subtype": "delta"}
    events, _ = _feed(
        {**delta, "text": "Let me "}, {**delta, "text": "see."}, {"type": "thinking", "subtype": "completed"}
    )
    assert [(event.kind, event.text) for event in events] == [(EventKind.THINKING, "Let me see.")]


def test_lines_may_have_a_prefix() -> None:
    """Some versions put a word before every line."""
    events, stream = _feed(INIT, SUCCESS, prefix="stdout: ")
    assert EventKind.RAW not in {event.kind for event in events}
    assert stream.knows(b'stdout: {"type": "result"}')
    assert stream.knows(b'{"type": "result"}')
    assert not stream.knows(b"stdout: hello")


def test_other_tools_are_functions() -> None:
    """A tool without a name of its own has its arguments as text."""
    function = {"name": "mcp_search", "arguments": '{"path": "a.py"}'}
    events, _ = _feed(_call("started", 1, function=function), _call("completed", 2, function=function))
    assert [(event.tool, event.path) for event in events] == [("mcp_search", "a.py")] * 2


def test_a_rejected_call_is_a_denial() -> None:
    """A call that was rejected is told as such, and so is the end."""
    rejected = {"rejected": {"command": "rm -rf /", "reason": "denied by the user's rules"}}
    call = {"args": {"command": "rm -rf /"}, "result": rejected}
    events, stream = _feed(
        INIT, _call("started", 1, shellToolCall=call), _call("completed", 2, shellToolCall=call), SUCCESS
    )
    assert EventKind.DENIAL in {event.kind for event in events}
    assert stream.outcome(0, "").detail == "tool calls were denied: shell"


@pytest.mark.parametrize(
    ("told", "exit_code", "stderr", "ending"),
    [
        ([INIT], 1, "Error: Authentication required. Please run 'agent login' first", Ending.NO_ACCESS),
        ([INIT], 1, "Error: rate limit exceeded", Ending.UNAVAILABLE),
        ([INIT], 0, "", Ending.ERROR),
        ([INIT, SUCCESS], 1, "", Ending.ERROR),
        ([INIT, {**SUCCESS, "is_error": True, "subtype": "error", "result": "no"}], 0, "", Ending.ERROR),
        ([INIT, {**SUCCESS, "subtype": "cancelled"}], 0, "", Ending.ERROR),
    ],
)
def test_ends_are_told_apart(told: list[dict[str, Any]], exit_code: int, stderr: str, ending: Ending) -> None:
    """A stream may stop without a last line: then stderr and the exit code tell."""
    outcome = _feed(*told)[1].outcome(exit_code, stderr)
    assert outcome.ending is ending
    assert outcome.detail


def test_it_is_started_without_asking(tmp_path: Path) -> None:
    """It may edit and run; model, chat and the prompt are arguments, and in our sandbox it has none of its own."""
    launch = _launch(tmp_path, Profile(model="gpt-5"), conversation="chat-1", confined=True)
    assert [*launch.argv[1:]] == [
        *("-p", "--output-format", "stream-json", "--force", "--trust", "--workspace", str(tmp_path)),
        *("--model", "gpt-5", "--resume", "chat-1", "--sandbox", "disabled", "Fix it"),
    ]
    assert "--sandbox" not in _launch(tmp_path).argv
    assert launch.files == {}


def test_a_long_prompt_is_read_from_its_file(tmp_path: Path) -> None:
    """What is too long for an argument is named by its file."""
    assert str(tmp_path / "prompt.md") in _launch(tmp_path, prompt="x" * 200_000).argv[-1]


def test_the_system_prompt_stands_above_the_repositorys_rules(tmp_path: Path) -> None:
    """There is no flag for it: it is put on top of AGENTS.md, and once however often that is done."""
    profile = Profile(system_prompt="Be brief.")
    assert _launch(tmp_path, profile).files["AGENTS.md"] == "<!-- loopwright -->\nBe brief.\n<!-- /loopwright -->\n"
    (tmp_path / "AGENTS.md").write_text("# Theirs\n")
    (tmp_path / "AGENTS.md").write_text(_launch(tmp_path, profile).files["AGENTS.md"])
    text = _launch(tmp_path, Profile(system_prompt="Be long.")).files["AGENTS.md"]
    assert text == "<!-- loopwright -->\nBe long.\n<!-- /loopwright -->\n\n# Theirs\n"


def test_rules_that_are_a_link_are_not_followed(tmp_path: Path) -> None:
    """A link out of the workspace is not copied into it."""
    (tmp_path / "secret").write_text("very secret")
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    (workspace / "AGENTS.md").symlink_to(tmp_path / "secret")
    assert "secret" not in _launch(workspace, Profile(system_prompt="x")).files["AGENTS.md"]


def test_what_a_repository_brings_is_emptied(tmp_path: Path) -> None:
    """Servers, hooks and permissions of the repository do not count."""
    (tmp_path / ".cursor").mkdir()
    for name in ("mcp.json", "hooks.json", "cli.json", "notes.md"):
        (tmp_path / ".cursor" / name).write_text("evil")
    files = _launch(tmp_path).files
    assert set(files) == {".cursor/mcp.json", ".cursor/hooks.json", ".cursor/cli.json"}
    assert "evil" not in "".join(files.values())


def _install(folder: Path, place: str, link: str, version: str = "2026.09.12-4852336") -> None:
    program = folder / place
    program.parent.mkdir(parents=True)
    program.write_text(f"#!/bin/sh\necho '{version}'\n")
    program.chmod(0o755)
    (folder / "bin").mkdir(exist_ok=True)
    (folder / "bin" / link).symlink_to(program)


@pytest.mark.parametrize(
    ("place", "link", "installed"),
    [
        ("share/cursor-agent/versions/1/cursor-agent", "agent", True),
        ("share/cursor-agent/versions/1/cursor-agent", "cursor-agent", True),
        ("share/somebody/agent", "agent", False),
        ("lib/node_modules/cursor-agent/cli.js", "cursor-agent", False),
    ],
)
def test_only_cursors_own_program_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str, link: str, installed: bool
) -> None:
    """A program called `agent` may be anybody's, and the package cursor-agent of npm is somebody else's."""
    _install(tmp_path, place, link)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}/usr/bin{os.pathsep}/bin")
    found = Cursor({}).available()
    assert found.installed is installed
    assert ("`agent` at" in found.hint) is (link == "agent" and not installed)


@pytest.mark.parametrize(("version", "usable"), [("2026.09.12-4852336", True), ("1.0.3", False), ("hm", False)])
def test_its_version_is_a_date(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str, usable: bool) -> None:
    """What has another kind of version is not Cursor's, and is not used; a key is found without being shown."""
    monkeypatch.setenv("CURSOR_API_KEY", "very secret")
    _install(tmp_path, "cursor-agent/program", "agent", version)
    account = Cursor({"program": str(tmp_path / "bin" / "agent")}).account()
    assert (account.usable, account.logged_in) == (usable, True if usable else None)
    assert "secret" not in repr(account)


_NAMES = ("subtype", "message", "text", "call_id", "tool_call", "is_error", "result", "usage", "timestamp_ms")
_KNOWN = (
    *("init", "started", "completed", "delta", False),
    {"content": "x"},
    {"shellToolCall": {"args": [], "result": {"success": {"exitCode": "3"}}}},
    {"shellToolCall": {"args": {"command": 3}, "result": {"failure": "x"}}},
    {"function": {"name": 3, "arguments": "{"}},
    {"ToolCall": {}, "xToolCall": 3},
)


@given(lines(("system", "user", "assistant", "thinking", "tool_call", "result"), _NAMES, _KNOWN))
def test_no_line_breaks_it(told: list[dict[str, Any]]) -> None:
    """Whatever values stand in its lines, there are events and an outcome, and tokens never go below nothing."""
    events, stream = _feed(*told)
    assert all(isinstance(event.text, str) for event in events)
    assert stream.outcome(0, "").usage.total >= 0
