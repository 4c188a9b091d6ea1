"""Cursor's transcripts and streams, made up from what is public of them: none is a real one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.cursor import AT, INIT, TEXT, call, heard, read_in, says, transcript, used, words
from loopwright.ingest.formats.cursor import Cursor
from loopwright.records.budget import Usage
from loopwright.records.event import EventKind
from observing import anything, broken, fuzzed, kinds, of, read, spent, written


def test_a_transcript_of_lines_is_understood(tmp_path: Path) -> None:
    """Words, calls without a name, and results are told; the file's time stands for all of them."""
    path = transcript(
        *(tmp_path, "u-1/u-1.jsonl"),
        says("user", words("<open_files>a.py</open_files>\n<user_query>\nFix it\n</user_query>")),
        says("assistant", words("I look."), used("Shell", command="make"), used("Read", path="a.py")),
        says("user", {"type": "tool_result", "content": [words("no")], "is_error": True}),
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
    line = says("assistant", used("Shell", command="ls"))
    main = transcript(tmp_path, "u-1/u-1.jsonl", says("user", words("Fix it")), line)
    below = transcript(tmp_path, "u-1/subagents/s-1.jsonl", says("user", words("Look around")), line)
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
            {"type": "user", "message": {"content": [words("Fix it")]}},
            thought,
            {**thought, "subtype": "completed"},
        ),
        *(call("started", 0, **shell), call("completed", 250, **failed), heard("Done.")),
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
    pieces = [heard("I ", timestamp_ms=AT * 1000), heard("look.", timestamp_ms=AT * 1000)]
    whole = heard("I look.", timestamp_ms=AT * 1000, model_call_id="m")
    events = read_in(tmp_path, INIT, *pieces, whole, heard("I look."), heard("And", timestamp_ms=AT * 1000))
    assert [event.text for event in of(events, EventKind.MESSAGE)] == ["I look.", "And"]


@pytest.mark.parametrize(("result", "expected"), [("rejected", "rejection"), ("permissionDenied", "denial")])
def test_a_no_is_told_apart(tmp_path: Path, result: str, expected: str) -> None:
    """A human who rejects a call and a permission that is missing are two things."""
    shell = {"args": {"command": "rm a"}, "result": {result: {"reason": "no"}}}
    events = read_in(tmp_path, INIT, call("started", 0, shellToolCall=shell), call("completed", 9, shellToolCall=shell))
    assert kinds(events) == ["system", "tool_call", "tool_result", expected]
    assert (events[2].is_error, events[3].command, events[3].text) == (True, "rm a", "no")


@pytest.mark.parametrize(("status", "expected"), [("aborted", "interrupt"), ("error", "error"), ("success", "system")])
def test_the_end_of_a_turn_says_how_it_ended(tmp_path: Path, status: str, expected: str) -> None:
    """A human who stops it interrupts; an error is one."""
    assert kinds(read_in(tmp_path, {"type": "turn_ended", "status": status})) == [expected]


def test_what_is_not_understood_is_kept(tmp_path: Path) -> None:
    """Lines and blocks of other kinds, and a line that is cut, are there as raw."""
    path = written(tmp_path / "chat.jsonl", says("assistant", {"type": "else"}, 5), {"type": "else"}, [1])
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
    path = transcript(tmp_path / ".cursor", "u-1.jsonl", says("user", words("Hi")))
    (tmp_path / ".cursor" / "projects" / "other" / "terminals").mkdir(parents=True)
    assert Cursor().places(tmp_path, {}) == [path.parent]


WHOLE = [
    *(INIT, says("user", words("Hi")), says("assistant", words("a"), used("Shell", command="ls"))),
    says("user", {"type": "tool_result", "tool_use_id": "c", "content": "x", "is_error": False}),
    *(heard("a", timestamp_ms=1), call("started", 1, shellToolCall={"args": {"command": "ls"}})),
    call("completed", 2, shellToolCall={"result": {"success": {"stdout": "a", "exitCode": 0}}}),
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
