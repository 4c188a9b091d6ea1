"""Chats of Gemini CLI: those that the real one wrote, real ones of others, and ones that were made up."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from loopwright.ingest.formats.gemini import Gemini
from loopwright.records.budget import Usage
from loopwright.records.event import Event, EventKind
from observing import SESSIONS, anything, broken, fuzzed, kinds, of, read, real_sessions, spent, totals, written

CHATS = SESSIONS / "gemini" / "chats"
START = {"sessionId": "s-1", "projectHash": "abc", "startTime": "2026-11-16T05:00:00.000Z", "kind": "main"}
TOKENS = {"input": 100, "output": 10, "cached": 40, "thoughts": 5, "tool": 3, "total": 118}


def _user(name: str, text: str, **told: Any) -> dict[str, Any]:
    return {"id": name, "timestamp": "2026-11-16T05:00:01.000Z", "type": "user", "content": [{"text": text}], **told}


def _gemini(name: str, text: str, **told: Any) -> dict[str, Any]:
    return {"id": name, "timestamp": "2026-11-16T05:00:02.000Z", "type": "gemini", "content": text, **told}


def _call(name: str, status: str, answer: dict[str, Any] | None = None, **told: Any) -> dict[str, Any]:
    result = [{"functionResponse": {"id": name, "name": "run_shell_command", "response": answer}}] if answer else []
    call = {"id": name, "name": "run_shell_command", "args": {"command": "ls"}, "status": status, "result": result}
    return {**call, "timestamp": "2026-11-16T05:00:04.000Z", **told}


def _read(folder: Path, *lines: object) -> list[Event]:
    return read(Gemini(), written(folder / "session-1.jsonl", START, *lines))[0]


def test_what_the_real_one_wrote_is_read_with_its_subagent() -> None:
    """Calls, errors, exit codes, tokens once per message, and a subagent's work below the call that started it."""
    events, about = read(Gemini(), *sorted(CHATS.rglob("*.jsonl")))
    calls, results = of(events, EventKind.TOOL_CALL), of(events, EventKind.TOOL_RESULT)
    assert [call.tool for call in calls] == [
        *("read_file", "run_shell_command", "read_file", "replace", "no_such_tool", "invoke_agent", "complete_task")
    ]
    assert {call.call_id for call in calls} == {result.call_id for result in results}
    assert [result.tool for result in results if result.is_error] == ["read_file", "no_such_tool", "complete_task"]
    assert [(result.command, result.exit_code) for result in results if result.command] == [("echo out; exit 3", 3)]
    assert [event.text for event in of(events, EventKind.PROMPT)] == ["Make the answer 42"]
    assert spent(events) == Usage(sum(range(61, 70)), sum(range(21, 30)), 9 * 40, 0)
    assert {event.parent_call_id for event in events} == {None, calls[5].call_id}
    assert [event.at for event in events] == sorted(event.at for event in events)
    assert (about.project, about.model, about.goal) == ("/home/dev/answer", "gemini-2.5-flash", "Make the answer 42")
    assert "raw" not in kinds(events)


def test_one_document_says_the_same_as_its_lines(tmp_path: Path) -> None:
    """An older chat, one document with all messages, has the same events; both together are told once."""
    lines = [json.loads(line) for line in next(CHATS.glob("*.jsonl")).read_text().splitlines()]
    last = {line["id"]: line for line in lines if "id" in line}
    document = tmp_path / "session.json"
    document.write_text(json.dumps({**lines[0], "messages": list(last.values())}, indent=2))
    older, _ = read(Gemini(), document)
    newer, _ = read(Gemini(), Path(shutil.copy(next(CHATS.glob("*.jsonl")), tmp_path)))
    assert kinds(older)[:4] == ["prompt", "thinking", "message", "usage"]
    assert sorted(kinds(older)) == sorted(kinds(newer)[1:])
    both, _ = read(Gemini(), *sorted(tmp_path.iterdir()))
    assert sorted(kinds(both)) == sorted(kinds(newer))


@pytest.mark.parametrize("number", [0, 1])
def test_real_chats_are_counted_as_a_simple_count_has_it(number: int) -> None:
    """Calls, errors, results, prompts and tokens of a real chat are what a few lines of code count."""
    path = real_sessions("gemini")[number]
    told = json.loads(path.read_bytes())["messages"]
    calls = [call for message in told for call in message.get("toolCalls", ())]
    tokens = [message["tokens"] for message in told if message.get("tokens")]
    events, _ = read(Gemini(), path)
    assert len(of(events, EventKind.TOOL_CALL)) == len({call["id"] for call in calls})
    assert len(of(events, EventKind.TOOL_RESULT)) == len(calls)
    assert sum(event.is_error for event in events) == sum(call["status"] != "success" for call in calls)
    assert len(of(events, EventKind.PROMPT)) == sum(message["type"] == "user" for message in told)
    assert len(of(events, EventKind.THINKING)) == sum(len(message.get("thoughts", ())) for message in told)
    assert spent(events).total == sum(one["total"] for one in tokens)
    assert spent(events).cache_read == sum(one["cached"] for one in tokens)
    assert "raw" not in kinds(events)


def test_a_message_that_is_written_again_is_told_once(tmp_path: Path) -> None:
    """What was added is new, and nothing else: calls by their ids, tokens by the largest value."""
    first = _gemini("m-1", "I look.", tokens={**TOKENS, "output": 1}, model="gemini-2.5-pro")
    again = {**first, "tokens": TOKENS, "toolCalls": [_call("c-1", "executing")]}
    ended = {**again, "toolCalls": [_call("c-1", "success", {"output": "a\nExit Code: 2"})]}
    response = {"functionResponse": {"id": "c-1", "response": {"output": "a"}}}
    events = _read(tmp_path, first, again, ended, ended, {**_user("m-2", ""), "content": [response]})
    assert kinds(events) == ["message", "usage", "usage", "tool_call", "tool_result"]
    assert spent(events) == Usage(63, 15, 40, 0)
    assert (events[-1].exit_code, events[-1].duration_s, events[-1].is_error) == (2, 2.0, False)


def test_a_call_that_only_the_history_has_is_joined_to_its_response(tmp_path: Path) -> None:
    """Parts of the content are calls and responses too, and what the history repeats was said by nobody."""
    call = {"functionCall": {"id": "c-1", "name": "read_file", "args": {"file_path": "a.py"}}}
    response = {"functionResponse": {"id": "c-1", "name": "read_file", "response": {"error": "no such file"}}}
    history = [_user("h-1", "<state_snapshot>"), _gemini("h-2", "", content=[call, {"text": "Got it."}])]
    answered = {**_user("h-3", ""), "content": [response]}
    events = _read(tmp_path, _user("m-1", "Hello"), {"$set": {"messages": [*history, answered]}})
    assert kinds(events) == ["prompt", "system", "tool_call", "system", "tool_result"]
    assert (events[-1].path, events[-1].is_error, events[-1].text) == ("a.py", True, "no such file")


@pytest.mark.parametrize(
    ("status", "reason", "expected"),
    [
        ("cancelled", "[Operation Cancelled] Reason: User denied execution.", "rejection"),
        ("cancelled", "[Operation Cancelled] User cancelled tool execution.", "interrupt"),
        ("error", "Tool execution denied by policy.", "denial"),
    ],
)
def test_a_no_is_told_apart(tmp_path: Path, status: str, reason: str, expected: str) -> None:
    """A human who refuses a call, one who stops the agent, and a policy are three things, each told once."""
    calls = [_call("c-1", status, {"error": reason}), _call("c-2", "cancelled", {"error": "User cancelled operation"})]
    told = {"id": "m-2", "timestamp": "", "type": "info", "content": "Request cancelled."}
    events = _read(tmp_path, _gemini("m-1", "", toolCalls=calls), told)
    refusals = [kind for kind in kinds(events) if kind in ("rejection", "interrupt", "denial")]
    assert refusals == ([expected, "interrupt"] if expected == "denial" else [expected])
    assert [event.is_error for event in of(events, EventKind.TOOL_RESULT)] == [True, True]


def test_words_are_told_by_who_said_them(tmp_path: Path) -> None:
    """A human's words are those that were typed; context, commands, notices and rewinds are the agent's own news."""
    typed = _user("m-1", "Look at @a.md\n--- Content", displayContent=[{"text": "Look at @a.md"}])
    error = {"id": "m-4", "timestamp": "", "type": "error", "content": "quota"}
    image = {**_user("m-5", ""), "content": [{"inlineData": {"data": "AAAA"}}]}
    events = _read(
        tmp_path, typed, _user("m-2", "/help"), error, image, {"$rewindTo": "m-1"}, {"$set": {"summary": "T"}}
    )
    assert [(event.kind.value, event.data.get("subtype")) for event in events] == [
        *(("prompt", None), ("system", "context"), ("system", "command")),
        *(("error", "error"), ("system", "inlineData"), ("system", "rewind")),
    ]
    assert events[0].text == "Look at @a.md"


def test_what_is_not_understood_is_kept(tmp_path: Path) -> None:
    """A line that is cut, of another kind, or no object is there as raw, each counted."""
    path = written(tmp_path / "session-1.jsonl", START, {"id": "m-1", "type": "else"}, [1], {"id": 5}, {"$set": 1})
    with path.open("ab") as file:
        file.write(b'{"id": "m-2", "type": "user", "content": "\xff\xfe"}\n{"id": "m-3", "ty')
    events, _ = read(Gemini(), path)
    assert kinds(events) == ["raw", "raw", "raw", "raw", "prompt", "raw"]
    assert events[-1].text == '{"id": "m-3", "ty'


@pytest.mark.parametrize(
    "head",
    [
        b'[{"sessionId": "s", "messageId": 0, "type": "user", "message": "x"}]',
        b'{"history": [], "clientHistory": [], "toolCall": {"name": "replace"}}',
        b'{"type": "user", "sessionId": "s", "uuid": "u", "parentUuid": null}',
        b"",
    ],
)
def test_other_files_are_no_chats(head: bytes) -> None:
    """Its log of prompts, its checkpoints and the sessions of other agents are not taken for chats."""
    assert not Gemini().recognises(head)


def test_it_looks_where_chats_are(tmp_path: Path) -> None:
    """The usual place is below the home, or below the one that a variable names."""
    assert Gemini().places(tmp_path, {}) == [tmp_path / ".gemini" / "tmp"]
    assert Gemini().places(tmp_path, {"GEMINI_CLI_HOME": "/a"}) == [Path("/a/.gemini/tmp")]


def test_a_subagents_chat_elsewhere_is_a_session_of_its_own(tmp_path: Path) -> None:
    """Only the folder of a session says that it belongs to one."""
    path = written(tmp_path / "x.jsonl", {**START, "kind": "subagent"})
    assert list(Gemini().sessions(path)) == ["s-1"]


WHOLE = [
    *(_user("m-1", "Hello"), _gemini("m-2", "Hi", thoughts=[{"subject": "a", "description": "b"}], tokens=TOKENS)),
    _gemini("m-3", "", toolCalls=[_call("c-1", "success", {"output": "a"}), _call("c-2", "cancelled", {"error": "b"})]),
    {"$set": {"messages": [_user("m-4", "x")], "directories": ["/a"], "summary": "S"}},
    {"$rewindTo": "m-1"},
]


def test_messages_that_are_numbered_make_no_copies(tmp_path: Path) -> None:
    """Ids that are mere numbers are there in every chat, and tell of none that it is a copy."""
    for number in (1, 2):
        start = {**START, "sessionId": f"s-{number}"}
        at = f"2026-11-16T05:00:0{number}.000Z"
        answer = {**_gemini("2", "Hi", tokens=TOKENS, model="gemini-2.5-pro"), "timestamp": at}
        written(tmp_path / "in" / f"session-{number}.jsonl", start, _user("1", "Fix it"), answer)
    assert totals(Gemini(), tmp_path / "in").output_tokens == 30


@fuzzed
@given(lines=broken(WHOLE), more=anything)
def test_no_line_breaks_it(lines: Any, more: Any, tmp_path: Path) -> None:
    """Whatever stands where something else should, each line gives events or is kept."""
    told = lines if isinstance(lines, list) else [lines]
    events = _read(tmp_path, *told, more)
    assert len(events) >= sum(not isinstance(line, dict) for line in (*told, more))


@fuzzed
@given(document=broken({**START, "messages": WHOLE}))
def test_no_document_breaks_it(document: Any, tmp_path: Path) -> None:
    """A document of anything is read as far as it goes."""
    path = tmp_path / "session.json"
    path.write_text(json.dumps(document, indent=1))
    assert all(isinstance(event, Event) for event in Gemini().read("s-1", [path]).events())
