"""Claude Code's tool calls and their results, over its recordings and over lines made up."""

from __future__ import annotations

import json
import tracemalloc
from typing import Any

import pytest
from claude_words import NAMES, call, play, returned, tell

from loopwright.records.event import EventKind
from loopwright.text.bounded import TEXT_LIMIT
from loopwright.text.stream_json import StreamJson
from recordings import of_kind, recorded


def _blocks(name: str, kind: str) -> list[dict[str, Any]]:
    """Find the blocks of a kind by a way of its own: without the reader under test."""
    lines = [json.loads(line) for line in recorded(name)]
    contents = [line["message"]["content"] for line in lines if line["type"] in {"assistant", "user"}]
    return [block for content in contents for block in content if block["type"] == kind]


@pytest.mark.parametrize("name", NAMES)
def test_every_call_is_told_once(name: str) -> None:
    """There are as many tool calls as distinct tool_use ids, each with its tool and its input."""
    calls = of_kind(play(name)[1], EventKind.TOOL_CALL)
    expected = {block["id"]: (block["name"], block["input"]) for block in _blocks(name, "tool_use")}
    assert len(calls) == len(expected)
    assert {call.call_id: (call.tool, call.data["input"]) for call in calls} == expected


@pytest.mark.parametrize("name", NAMES)
def test_every_result_is_joined_to_its_call(name: str) -> None:
    """A tool result has the tool, command and path of its call, its own text and error, and a duration."""
    events = play(name)[1]
    calls = {call.call_id: call for call in of_kind(events, EventKind.TOOL_CALL)}
    results = of_kind(events, EventKind.TOOL_RESULT)
    assert [result.call_id for result in results] == [b["tool_use_id"] for b in _blocks(name, "tool_result")]
    for result, block in zip(results, _blocks(name, "tool_result"), strict=True):
        call = calls[result.call_id]
        assert (result.tool, result.command, result.path) == (call.tool, call.command, call.path)
        assert result.parent_call_id == call.parent_call_id
        assert result.is_error is block.get("is_error", False)
        assert result.duration_s is not None and result.duration_s >= 0


@pytest.mark.parametrize("name", NAMES)
def test_an_error_has_kind_and_fingerprint(name: str) -> None:
    """What is an error has a kind and a fingerprint, and nothing else has."""
    for event in of_kind(play(name)[1], EventKind.TOOL_RESULT) + of_kind(play(name)[1], EventKind.RESULT):
        assert (event.error_kind == "PARSED_ERROR") is event.is_error
        assert bool(event.fingerprint) is event.is_error


def test_commands_have_their_exit_codes() -> None:
    """A shell's result has its command and exit code; an edit's has a path and no exit code."""
    results = of_kind(play("claude_tools_allowed")[1], EventKind.TOOL_RESULT)
    shell = [(event.command, event.exit_code, event.is_error) for event in results if event.tool == "Bash"]
    assert shell == [("cat hello.txt && git status --short", 0, False), ("echo to-stderr >&2; exit 3", 3, True)]
    others = [event for event in results if event.tool in {"Read", "Write", "Edit"}]
    assert len(others) == 5
    assert all(event.path and event.exit_code is None and event.command is None for event in others)


def test_durations_come_from_the_timestamps() -> None:
    """A call that was killed after 2.4 s by its timestamps took 2.4 s."""
    (result,) = of_kind(play("claude_sigterm_in_bash")[1], EventKind.TOOL_RESULT)
    assert result.duration_s == pytest.approx(2.382)
    assert result.exit_code == 137


def test_denials_are_told() -> None:
    """A denied call gives a denial with its tool and command, and counts in the last word of a success."""
    stream, events = play("claude_tools_default")
    denials = of_kind(events, EventKind.DENIAL)
    assert [(event.tool, bool(event.path), event.command) for event in denials] == [
        ("Write", True, None),
        ("Bash", False, "echo to-stderr >&2; exit 3"),
    ]
    results = {event.call_id: event for event in of_kind(events, EventKind.TOOL_RESULT)}
    for denial in denials:
        assert results[denial.call_id].is_error
        assert results[denial.call_id].exit_code is None
        assert results[denial.call_id].data["not_run"] == "user-rejected"
    assert stream.result is not None
    assert (stream.result.is_error, stream.result.denials) == (False, ("Write", "Bash"))


def test_like_errors_have_one_fingerprint() -> None:
    """Two edits of a file that is not there fail alike; a command that fails is another error."""
    results = [event for event in of_kind(play("claude_tools_default")[1], EventKind.TOOL_RESULT) if event.is_error]
    edits = {event.fingerprint for event in results if event.tool == "Edit"}
    shells = {event.fingerprint for event in results if event.tool == "Bash" and event.exit_code == 1}
    assert len(edits) == len(shells) == 1
    assert not edits & shells


def test_the_wrapping_of_an_error_does_not_count() -> None:
    """What a command said has one fingerprint, with an exit code before it, tags around it or neither."""
    texts = ("Exit code 1\nno such module", "<tool_use_error>no such module</tool_use_error>", "no such module")
    found = {tell(StreamJson(), returned(text, is_error=True))[0].fingerprint for text in texts}
    assert len(found) == 1
    assert tell(StreamJson(), returned("Exit code 1", is_error=True))[0].fingerprint


def test_a_subagents_calls_are_linked_to_their_parent() -> None:
    """What a subagent does names the call that started it, and its words are not the agent's."""
    stream, events = play("claude_subagent")
    calls = {call.tool: call for call in of_kind(events, EventKind.TOOL_CALL)}
    assert calls["Agent"].parent_call_id is None
    assert calls["Bash"].parent_call_id == calls["Agent"].call_id
    assert [event.text for event in events if event.kind is EventKind.MESSAGE and event.parent_call_id] == ["done"]
    before = StreamJson()
    tell(before, *recorded("claude_subagent")[:10])
    assert before.last_message == "subagent returned"
    assert stream.last_message == "(script exhausted)"


@pytest.mark.parametrize(
    ("began", "ended", "duration"),
    [
        ("", "", 2.5),
        ("2026-11-15T07:00:00.000Z", "", 2.5),
        ("2026-11-15T07:00:00.000Z", "2026-11-15T07:00:09.250Z", 9.25),
        ("2026-11-15T08:00:00+01:00", "2026-11-15T07:00:01", 1.0),
        ("2026-11-15T07:00:00Z", "2026-11-15T06:00:01Z", 2.5),
        ("yesterday", "0001-01-01T00:00:00+23:59", 2.5),
    ],
)
def test_without_timestamps_our_own_clock_counts(began: str, ended: str, duration: float) -> None:
    """The lines' own times give the duration; where one is missing or runs backwards, when they came does."""
    now = iter([10.0, 12.5])
    stream = StreamJson(clock=lambda: next(now))
    tell(stream, call("Bash", at=began, command="sleep 2.5"))
    assert tell(stream, returned("ok", at=ended))[0].duration_s == duration


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"run_in_background": True}, None),
        ({}, {"backgroundTaskId": "b1"}),
        ({}, {"interrupted": True}),
        ({}, {"returnCodeInterpretation": "No matches found"}),
    ],
)
def test_an_exit_code_that_nobody_told_is_unknown(given: dict[str, Any], told: dict[str, Any] | None) -> None:
    """A command in the background, interrupted, or failed in a way that is no error has no exit code."""
    stream = StreamJson()
    tell(stream, call("Bash", command="grep x y", **given))
    assert tell(stream, returned("", told))[0].exit_code is None


def test_a_file_that_speaks_of_exit_codes_has_none() -> None:
    """Only a shell's result has an exit code, whatever the text of another says."""
    stream = StreamJson()
    tell(stream, call("Read", file_path="log.txt"))
    result = tell(stream, returned("Exit code 3", is_error=True))[0]
    assert (result.exit_code, result.path) == (None, "log.txt")


def test_a_result_may_be_a_list_of_parts() -> None:
    """Of a list, the texts are kept and other parts named."""
    parts = [{"type": "text", "text": "a"}, {"type": "image", "source": {}}, {"type": "text", "text": "b"}]
    assert tell(StreamJson(), returned(parts))[0].text == "a\n[image]\nb"


def test_long_texts_are_cut_and_say_so() -> None:
    """A tool result longer than the limit is cut, and its data tells how long it was."""
    result = tell(StreamJson(), returned("x" * (TEXT_LIMIT + 1)))[0]
    assert len(result.text) == TEXT_LIMIT
    assert result.data["cut_from"] == TEXT_LIMIT + 1


def test_memory_stays_bounded_over_many_open_calls() -> None:
    """Calls and messages that never get their result are forgotten, but their tokens are not."""
    stream = StreamJson()
    tracemalloc.start()
    for number in range(4000):
        block = {"type": "tool_use", "id": f"t{number}", "name": "Bash", "input": {"command": f"{number:010000}"}}
        message = {"id": f"m{number}", "content": [block], "usage": {"input_tokens": 1}}
        stream.read({"type": "assistant", "message": message})
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert stream.usage()[0].input == 4000
    assert held < 15_000_000  # all 4,000 commands would be 40 MB
