"""Cursor's files as they may lie around: cut, long, of one name, of one session, with other ends of lines."""

from __future__ import annotations

import json
import os
import tracemalloc
from pathlib import Path

import pytest

from ingest.cursor import AT, INIT, TEXT, call, heard, read_in, says, used
from loopwright.ingest.formats.cursor import Cursor
from loopwright.records.event import EventKind
from observing import kinds, of, read, totals, written


def test_pieces_take_no_memory_without_end(tmp_path: Path) -> None:
    """Words and thoughts of any length, which nobody has ended, are kept as far as any text is."""
    text, path = "x" * 50_000, tmp_path / "chat.jsonl"
    thought = json.dumps({"type": "thinking", "subtype": "delta", "text": text})
    piece = json.dumps(heard(text, timestamp_ms=AT * 1000))
    path.write_text("\n".join([json.dumps(INIT), *[thought, piece] * 300]))
    tracemalloc.start()
    sizes = [len(event.text) for event in Cursor().read("chat-1", [path]).events()]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert max(sizes) == 100_000
    assert peak < 10_000_000


def test_a_line_without_a_time_has_that_of_the_first_that_has_one(tmp_path: Path) -> None:
    """A file may be of another day than its lines; thoughts that nobody has ended are told."""
    thought = {"type": "thinking", "subtype": "delta", "text": "Hm."}
    events = read_in(tmp_path, INIT, thought, heard("a", timestamp_ms=AT * 1000))
    assert kinds(events) == ["system", "message", "thinking"]
    assert {event.at for event in events} == {"2026-11-16T05:19:22.000Z"}


def test_calls_that_nothing_answers_are_forgotten(tmp_path: Path) -> None:
    """A transcript often has no results: no more calls wait for one than anybody would answer."""
    calls = [says("assistant", used("Shell", command=str(number))) for number in range(1500)]
    answer = says("user", {"type": "tool_result", "content": "x"})
    events = read_in(tmp_path, *calls, answer)
    assert len({event.call_id for event in of(events, EventKind.TOOL_CALL)}) == 1500
    assert of(events, EventKind.TOOL_RESULT)[0].command == "500"


def test_what_stands_before_a_line_is_taken_off(tmp_path: Path) -> None:
    """Some versions print `stdout:` before every line; a file of such lines is known and read."""
    path = tmp_path / "chat.jsonl"
    path.write_text("".join(f"stdout: {json.dumps(line)}\n" for line in (INIT, heard("Done."))))
    events, about = read(Cursor(), path)
    assert (kinds(events), list(Cursor().sessions(path)), about.model) == (["system", "message"], ["chat-1"], "gpt-5.5")


def test_transcripts_of_one_name_are_sessions_of_their_own(tmp_path: Path) -> None:
    """Their first calls are not copies of each other, although their files share a time."""
    for name in ("a", "b"):
        path = written(tmp_path / "in" / name / "transcript.jsonl", says("assistant", used("Shell", command=name)))
        os.utime(path, (AT, AT))
    found = totals(Cursor(), tmp_path / "in")
    assert (found.sessions, found.tool_calls) == (2, 2)


def test_short_ids_make_no_copies(tmp_path: Path) -> None:
    """A stream whose calls are merely counted is no copy of another one that does so."""
    for name in ("one", "two"):
        line = {**call("started", 0, shellToolCall={"args": {"command": "ls"}}), "session_id": name}
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
    events = read_in(tmp_path, INIT, call("completed", 0, writeToolCall=write))
    assert [(event.kind.value, event.tool, event.path) for event in events[1:]] == [
        *(("tool_call", "write", "x"), ("tool_result", "write", "x"))
    ]
    events = read_in(tmp_path, INIT, call("started", 0, writeToolCall=write), call("completed", 1, writeToolCall=write))
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
