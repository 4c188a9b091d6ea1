"""Cursor's transcripts and streams, made up from what is public of them: none is a real one."""

from __future__ import annotations

import json
import os
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopwright.ingest.formats.cursor import Cursor
from loopwright.records.budget import Usage
from loopwright.records.event import Event, EventKind
from observing import anything, broken, fuzzed, kinds, of, read, spent, totals, written

AT = 1794806362
INIT = {
    "type": "system",
    "subtype": "init",
    "session_id": "chat-1",
    "model": "gpt-5.5",
    "cwd": "/a",
    "apiKeySource": "env",
}
TEXT = """user:
<open_files>
a.py
</open_files>
<user_query>
Fix it. A line of mine says
assistant:
and goes on.
</user_query>

assistant:
[Thinking] I look first.

I run the tests.
[Tool call] Shell
  command: make test
  description: run them

[Tool result] Shell
1 failed

in a.py
[Tool call] Read
  path: a.py

assistant:
It is fixed.
"""


def _says(role: str, *blocks: object) -> dict[str, Any]:
    return {"role": role, "message": {"content": list(blocks)}}


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def _used(tool: str, **told: Any) -> dict[str, Any]:
    return {"type": "tool_use", "name": tool, "input": told}


def _heard(text: str, **told: Any) -> dict[str, Any]:
    return {"type": "assistant", "message": {"content": [_text(text)]}, **told}


def _call(subtype: str, at: int, **told: Any) -> dict[str, Any]:
    return {"type": "tool_call", "subtype": subtype, "call_id": "c1", "timestamp_ms": AT * 1000 + at, "tool_call": told}


def _read(folder: Path, *lines: object) -> list[Event]:
    return read(Cursor(), written(folder / "chat.jsonl", *lines))[0]


def _transcript(folder: Path, name: str, *lines: object) -> Path:
    path = written(folder / "projects" / "home-dev-app" / "agent-transcripts" / name, *lines)
    os.utime(path, (AT, AT))
    return path


def test_a_transcript_of_lines_is_understood(tmp_path: Path) -> None:
    """Words, calls without a name, and results are told; the file's time stands for all of them."""
    path = _transcript(
        *(tmp_path, "u-1/u-1.jsonl"),
        _says("user", _text("<open_files>a.py</open_files>\n<user_query>\nFix it\n</user_query>")),
        _says("assistant", _text("I look."), _used("Shell", command="make"), _used("Read", path="a.py")),
        _says("user", {"type": "tool_result", "content": [_text("no")], "is_error": True}),
        {"type": "turn_ended", "status": "success"},
    )
    events, about = read(Cursor(), path)
    assert kinds(events) == ["system", "prompt", "message", "tool_call", "tool_call", "tool_result", "system"]
    assert (about.goal, about.project) == ("Fix it", "home-dev-app")
    assert [(call.command, call.path) for call in of(events, EventKind.TOOL_CALL)] == [("make", None), (None, "a.py")]
    assert (events[5].command, events[5].text, events[5].is_error) == ("make", "no", True)
    assert {event.at for event in events} == {"2026-11-16T05:19:22.000Z"}
    assert len({event.call_id for event in of(events, EventKind.TOOL_CALL)}) == 2


def test_a_subagent_belongs_to_the_session_above_it(tmp_path: Path) -> None:
    """Its file lies below the session's; what it was told, no human has said, and its calls are its own."""
    line = _says("assistant", _used("Shell", command="ls"))
    main = _transcript(tmp_path, "u-1/u-1.jsonl", _says("user", _text("Fix it")), line)
    below = _transcript(tmp_path, "u-1/subagents/s-1.jsonl", _says("user", _text("Look around")), line)
    events, about = read(Cursor(), below, main)
    assert [(event.kind.value, event.parent_call_id) for event in events] == [
        *(("prompt", None), ("tool_call", None), ("system", "s-1"), ("tool_call", "s-1"))
    ]
    assert about.goal == "Fix it"
    assert events[1].call_id != events[3].call_id


def test_a_transcript_of_text_is_understood(tmp_path: Path) -> None:
    """Blocks are known by their marks, a human's words may hold one, and results are joined in order."""
    path = tmp_path / "u-1.txt"
    path.write_text(TEXT)
    events, _ = read(Cursor(), path)
    assert [(event.kind.value, event.text) for event in events] == [
        ("system", "<open_files>\na.py\n</open_files>"),
        ("prompt", "Fix it. A line of mine says\nassistant:\nand goes on."),
        *(("thinking", "I look first."), ("message", "I run the tests."), ("tool_call", "")),
        *(("tool_result", "1 failed\n\nin a.py"), ("tool_call", ""), ("message", "It is fixed.")),
    ]
    assert (events[4].command, events[5].command, events[6].path) == ("make test", "make test", "a.py")
    assert events[4].data["input"] == {"command": "make test", "description": "run them"}


def test_a_stream_that_was_kept_is_understood(tmp_path: Path) -> None:
    """What `agent -p` printed has times, exit codes, tokens, and a name of its own."""
    shell = {"shellToolCall": {"args": {"command": "false"}}}
    failed = {"shellToolCall": {**shell["shellToolCall"], "result": {"failure": {"exitCode": 1, "stderr": "boom"}}}}
    thought = {"type": "thinking", "subtype": "delta", "text": "Hm."}
    usage = {"inputTokens": 100, "outputTokens": 20, "cacheReadTokens": 40, "cacheWriteTokens": 5}
    path = written(
        tmp_path / "x.jsonl",
        *(
            INIT,
            {"type": "user", "message": {"content": [_text("Fix it")]}},
            thought,
            {**thought, "subtype": "completed"},
        ),
        *(_call("started", 0, **shell), _call("completed", 250, **failed), _heard("Done.")),
        {"type": "result", "subtype": "success", "is_error": False, "result": "Done.", "usage": usage},
    )
    events, about = read(Cursor(), path)
    assert kinds(events) == [
        *("system", "prompt", "thinking", "tool_call", "tool_result", "message", "usage", "result")
    ]
    assert (events[4].exit_code, events[4].text, events[4].is_error, events[4].at[-5:]) == (1, "boom", True, ".250Z")
    assert (list(Cursor().sessions(path)), about.model, about.project) == (["chat-1"], "gpt-5.5", "/a")
    assert spent(events) == Usage(100, 20, 40, 5)


def test_words_in_pieces_are_told_once(tmp_path: Path) -> None:
    """With partial output the pieces come again as a whole, twice; pieces that no whole followed are kept."""
    pieces = [_heard("I ", timestamp_ms=AT * 1000), _heard("look.", timestamp_ms=AT * 1000)]
    whole = _heard("I look.", timestamp_ms=AT * 1000, model_call_id="m")
    events = _read(tmp_path, INIT, *pieces, whole, _heard("I look."), _heard("And", timestamp_ms=AT * 1000))
    assert [event.text for event in of(events, EventKind.MESSAGE)] == ["I look.", "And"]


def test_pieces_take_no_memory_without_end(tmp_path: Path) -> None:
    """Words and thoughts of any length, which nobody has ended, are kept as far as any text is."""
    text, path = "x" * 50_000, tmp_path / "chat.jsonl"
    thought = json.dumps({"type": "thinking", "subtype": "delta", "text": text})
    piece = json.dumps(_heard(text, timestamp_ms=AT * 1000))
    path.write_text("\n".join([json.dumps(INIT), *[thought, piece] * 300]))
    tracemalloc.start()
    sizes = [len(event.text) for event in Cursor().read("chat-1", [path]).events()]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert max(sizes) == 100_000
    assert peak < 10_000_000


def test_calls_that_nothing_answers_are_forgotten(tmp_path: Path) -> None:
    """A transcript often has no results: no more calls wait for one than anybody would answer."""
    calls = [_says("assistant", _used("Shell", command=str(number))) for number in range(1500)]
    answer = _says("user", {"type": "tool_result", "content": "x"})
    events = _read(tmp_path, *calls, answer)
    assert len({event.call_id for event in of(events, EventKind.TOOL_CALL)}) == 1500
    assert of(events, EventKind.TOOL_RESULT)[0].command == "500"


def test_what_stands_before_a_line_is_taken_off(tmp_path: Path) -> None:
    """Some versions print `stdout:` before every line; a file of such lines is known and read."""
    path = tmp_path / "chat.jsonl"
    path.write_text("".join(f"stdout: {json.dumps(line)}\n" for line in (INIT, _heard("Done."))))
    events, about = read(Cursor(), path)
    assert (kinds(events), list(Cursor().sessions(path)), about.model) == (["system", "message"], ["chat-1"], "gpt-5.5")


def test_transcripts_of_one_name_are_sessions_of_their_own(tmp_path: Path) -> None:
    """Their first calls are not copies of each other, although their files share a time."""
    for name in ("a", "b"):
        path = written(tmp_path / "in" / name / "transcript.jsonl", _says("assistant", _used("Shell", command=name)))
        os.utime(path, (AT, AT))
    found = totals(Cursor(), tmp_path / "in")
    assert (found.sessions, found.tool_calls) == (2, 2)


def test_short_ids_make_no_copies(tmp_path: Path) -> None:
    """A stream whose calls are merely counted is no copy of another one that does so."""
    for name in ("one", "two"):
        line = {**_call("started", 0, shellToolCall={"args": {"command": "ls"}}), "session_id": name}
        path = written(tmp_path / "in" / f"{name}.jsonl", {**INIT, "session_id": name}, line)
        os.utime(path, (AT, AT))
    assert totals(Cursor(), tmp_path / "in").tool_calls == 2


def test_each_result_counts(tmp_path: Path) -> None:
    """In several files of one session, results that name no request are of requests of their own."""
    for number in (7, 11):
        result = {"type": "result", "is_error": False, "result": "x", "usage": {"inputTokens": number}}
        written(tmp_path / "in" / f"{number}.jsonl", INIT, result)
    found = totals(Cursor(), tmp_path / "in")
    assert (found.sessions, found.input_tokens) == (1, 18)


def test_a_call_that_has_only_an_end_is_a_call(tmp_path: Path) -> None:
    """It has its tool and its path; one that was begun counts once."""
    write = {"args": {"path": "x"}, "result": {"success": {"path": "x"}}}
    events = _read(tmp_path, INIT, _call("completed", 0, writeToolCall=write))
    assert [(event.kind.value, event.tool, event.path) for event in events[1:]] == [
        *(("tool_call", "write", "x"), ("tool_result", "write", "x"))
    ]
    events = _read(tmp_path, INIT, _call("started", 0, writeToolCall=write), _call("completed", 1, writeToolCall=write))
    assert kinds(events) == ["system", "tool_call", "tool_result"]


@pytest.mark.parametrize("text", [TEXT.replace("\n", "\r\n"), f"\ufeff{TEXT}"])
def test_text_of_other_systems_is_understood(tmp_path: Path, text: str) -> None:
    """With other ends of lines, or a mark of the encoding, it says the same."""
    path, other = tmp_path / "a" / "u-1.txt", tmp_path / "u-1.txt"
    path.parent.mkdir()
    path.write_bytes(TEXT.encode())
    other.write_bytes(text.encode())
    told = [[(event.kind, event.text, event.command) for event in read(Cursor(), one)[0]] for one in (path, other)]
    assert told[0] == told[1]


@pytest.mark.parametrize(("result", "expected"), [("rejected", "rejection"), ("permissionDenied", "denial")])
def test_a_no_is_told_apart(tmp_path: Path, result: str, expected: str) -> None:
    """A human who rejects a call and a permission that is missing are two things."""
    shell = {"args": {"command": "rm a"}, "result": {result: {"reason": "no"}}}
    events = _read(tmp_path, INIT, _call("started", 0, shellToolCall=shell), _call("completed", 9, shellToolCall=shell))
    assert kinds(events) == ["system", "tool_call", "tool_result", expected]
    assert (events[2].is_error, events[3].command, events[3].text) == (True, "rm a", "no")


@pytest.mark.parametrize(("status", "expected"), [("aborted", "interrupt"), ("error", "error"), ("success", "system")])
def test_the_end_of_a_turn_says_how_it_ended(tmp_path: Path, status: str, expected: str) -> None:
    """A human who stops it interrupts; an error is one."""
    assert kinds(_read(tmp_path, {"type": "turn_ended", "status": status})) == [expected]


def test_what_is_not_understood_is_kept(tmp_path: Path) -> None:
    """Lines and blocks of other kinds, and a line that is cut, are there as raw."""
    path = written(tmp_path / "chat.jsonl", _says("assistant", {"type": "else"}, 5), {"type": "else"}, [1])
    with path.open("ab") as file:
        file.write(b'{"role": "ass')
    assert kinds(read(Cursor(), path)[0]) == ["raw"] * 5


@pytest.mark.parametrize(
    "head",
    [
        b'{"type": "system", "subtype": "init", "session_id": "s", "uuid": "u", "tools": []}',
        b'{"type": "user", "message": {"role": "user", "content": "x"}, "sessionId": "s"}',
        b'{"role": "user", "content": "x"}',
        b"user: I said\nassistant: and you said",
        b"",
    ],
)
def test_other_files_are_no_transcripts(head: bytes) -> None:
    """Claude Code's streams and transcripts, plain chats and notes are not taken for Cursor's."""
    assert not Cursor().recognises(head)


def test_it_looks_where_transcripts_are(tmp_path: Path) -> None:
    """Of the folders of its projects, only those with transcripts."""
    path = _transcript(tmp_path / ".cursor", "u-1.jsonl", _says("user", _text("Hi")))
    (tmp_path / ".cursor" / "projects" / "other" / "terminals").mkdir(parents=True)
    assert Cursor().places(tmp_path, {}) == [path.parent]


WHOLE = [
    *(INIT, _says("user", _text("Hi")), _says("assistant", _text("a"), _used("Shell", command="ls"))),
    _says("user", {"type": "tool_result", "tool_use_id": "c", "content": "x", "is_error": False}),
    *(_heard("a", timestamp_ms=1), _call("started", 1, shellToolCall={"args": {"command": "ls"}})),
    _call("completed", 2, shellToolCall={"result": {"success": {"stdout": "a", "exitCode": 0}}}),
    {"type": "thinking", "subtype": "completed", "text": "Hm."},
    {"type": "result", "is_error": False, "result": "x", "usage": {"inputTokens": 5}},
    {"type": "turn_ended", "status": "error", "error": {"message": "x"}},
]


@fuzzed
@given(lines=broken(WHOLE), more=anything)
def test_no_line_breaks_it(lines: Any, more: Any, tmp_path: Path) -> None:
    """Whatever stands where something else should, each line gives events or is kept."""
    told = lines if isinstance(lines, list) else [lines]
    path = written(tmp_path / "chat.jsonl", *told, more)
    events = list(Cursor().read("chat", [path]).events())
    assert len(of(events, EventKind.RAW)) >= sum(not isinstance(line, dict) for line in (*told, more))
    list(Cursor().sessions(path))
    Cursor().recognises(json.dumps(told).encode())


@fuzzed
@given(lines=st.lists(st.sampled_from([*TEXT.splitlines(), "\x00", "  a: b", "[Tool call] ", "user:"]), max_size=15))
def test_no_text_breaks_it(lines: list[str], tmp_path: Path) -> None:
    """Marks in any order are read."""
    path = tmp_path / "chat.txt"
    path.write_text("\n".join(["user:", "<user_query>", "</user_query>", *lines]))
    events, _ = read(Cursor(), path)
    assert len(of(events, EventKind.TOOL_CALL)) <= sum(line.startswith("[Tool call]") for line in lines)
