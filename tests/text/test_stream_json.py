"""Claude Code's stream-json, over the project's own recordings of it and over whatever else may come."""

from __future__ import annotations

import dataclasses
import json
import random
import tracemalloc
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopwright.records.budget import Usage
from loopwright.records.event import Event, EventKind
from loopwright.text.bounded import TEXT_LIMIT
from loopwright.text.stream_json import RAW_LIMIT, SKIPPED, TYPES, StreamJson, is_stream_json

GOLDEN = Path(__file__).parent.parent / "golden" / "claude"
NAMES = sorted(path.stem for path in GOLDEN.glob("*.jsonl"))
LINES = [line for name in NAMES for line in (GOLDEN / f"{name}.jsonl").read_text("utf-8").splitlines()]

# What the newest result says, where that is all; the others are explained at their tests.
USED = {
    "claude_asks": (Usage(210, 41, 1000, 100), 0.00192),
    "claude_badall": (Usage(), 0.0),
    "claude_badjson_r2": (Usage(100, 20, 0, 50), 0.0007875),
    "claude_budget": (Usage(330, 63, 3000, 150), 0.0033975),
    "claude_c197r": (Usage(100, 20, 0, 50), 0.0007875),
    "claude_c197r_othercwd": (Usage(), 0.0),
    "claude_c197r_resume": (Usage(100, 20, 0, 50), 0.0007875),
    "claude_cutoff_r2": (Usage(200, 21, 0, 100), 0.00129),
    "claude_err400": (Usage(), 0.0),
    "claude_err401": (Usage(), 0.0),
    "claude_err403": (Usage(), 0.0),
    "claude_err404": (Usage(), 0.0),
    "claude_err429_r2": (Usage(), 0.0),
    "claude_err500_r2": (Usage(), 0.0),
    "claude_err529_defaultretries": (Usage(), 0.0),
    "claude_err529_r2": (Usage(), 0.0),
    "claude_flaky529": (Usage(100, 20, 0, 50), 0.0007875),
    "claude_hello": (Usage(100, 20, 0, 50), 0.0007875),
    "claude_jsonschema": (Usage(100, 20, 0, 50), 0.0007875),
    "claude_maxtokens": (Usage(460, 86, 6000, 200), 0.00522),
    "claude_maxturns": (Usage(330, 63, 3000, 150), 0.0033975),
    "claude_midError_r2": (Usage(100, 20, 0, 50), 0.0007875),
    "claude_partial": (Usage(210, 41, 1000, 100), 0.00192),
    "claude_refusal": (Usage(210, 41, 1000, 100), 0.00192),
    "claude_resume": (Usage(100, 20, 0, 50), 0.0007875),
    "claude_resume_after_sigkill": (Usage(100, 20, 0, 50), 0.0007875),
    "claude_resume_after_sigterm": (Usage(100, 20, 0, 50), 0.0007875),
    "claude_resume_fork": (Usage(100, 20, 0, 50), 0.0007875),
    "claude_resume_missing": (Usage(), 0.0),
    "claude_resume_othercwd": (Usage(100, 20, 0, 50), 0.0007875),
    "claude_sessionid_reuse": (Usage(), 0.0),
    "claude_sigint_in_bash": (Usage(100, 20, 0, 50), 0.0007875),
    "claude_sigkill_in_bash": (Usage(100, 1, 0, 50), 0.0),
    "claude_sigterm_in_bash": (Usage(100, 1, 0, 50), 0.0),
    "claude_sigterm_in_stream": (Usage(), 0.0),
    "claude_subagent": (Usage(540, 104, 4000, 250), 0.0053175),
    "claude_toolong": (Usage(), 0.0),
    "claude_tools_acceptEdits": (Usage(1080, 188, 28000, 400), 0.01596),
    "claude_tools_allowed": (Usage(1080, 188, 28000, 400), 0.01596),
    "claude_tools_bypass_root": (Usage(), 0.0),
    "claude_tools_bypass_sandboxenv": (Usage(1080, 188, 28000, 400), 0.01596),
    "claude_tools_default": (Usage(1080, 188, 28000, 400), 0.01596),
    "claude_tools_dontAsk": (Usage(1080, 188, 28000, 400), 0.01596),
    "claude_truncjson": (Usage(210, 41, 1000, 100), 0.00192),
}
FAILED = {
    *("claude_budget", "claude_err400", "claude_err529_r2", "claude_maxtokens", "claude_maxturns", "claude_refusal"),
    *("claude_resume_missing", "claude_sigint_in_bash", "claude_toolong", "claude_badall", "claude_c197r_othercwd"),
    *("claude_err403", "claude_err404", "claude_err429_r2", "claude_err500_r2", "claude_err529_defaultretries"),
}
RESULTLESS = {
    *("claude_err401", "claude_sessionid_reuse", "claude_sigkill_in_bash", "claude_sigterm_in_bash"),
    *("claude_sigterm_in_stream", "claude_tools_bypass_root"),
}


def play(name: str) -> tuple[StreamJson, list[Event]]:
    stream = StreamJson()
    return stream, [event for line in _lines(name) for event in stream.feed(line)]


def _lines(name: str) -> list[str]:
    return (GOLDEN / f"{name}.jsonl").read_text("utf-8").splitlines(keepends=True)


def _blocks(name: str, kind: str) -> list[dict[str, Any]]:
    """Find the blocks of a kind by a way of its own: without the reader under test."""
    lines = [json.loads(line) for line in _lines(name)]
    contents = [line["message"]["content"] for line in lines if line["type"] in {"assistant", "user"}]
    return [block for content in contents for block in content if block["type"] == kind]


def _of(events: list[Event], kind: EventKind) -> list[Event]:
    return [event for event in events if event.kind is kind]


@pytest.mark.parametrize("name", NAMES)
def test_no_line_is_lost(name: str) -> None:
    """Every line of a recording gives events or is of a kind that is skipped, and none is unknown."""
    stream, skipped = StreamJson(), 0
    for line in _lines(name):
        if not stream.feed(line):
            assert json.loads(line)["type"] in SKIPPED
            skipped += 1
    assert stream.skipped == skipped
    assert stream.unknown == 0


@pytest.mark.parametrize("name", NAMES)
def test_every_call_is_told_once(name: str) -> None:
    """There are as many tool calls as distinct tool_use ids, each with its tool and its input."""
    calls = _of(play(name)[1], EventKind.TOOL_CALL)
    expected = {block["id"]: (block["name"], block["input"]) for block in _blocks(name, "tool_use")}
    assert len(calls) == len(expected)
    assert {call.call_id: (call.tool, call.data["input"]) for call in calls} == expected


@pytest.mark.parametrize("name", NAMES)
def test_every_result_is_joined_to_its_call(name: str) -> None:
    """A tool result has the tool, command and path of its call, its own text and error, and a duration."""
    events = play(name)[1]
    calls = {call.call_id: call for call in _of(events, EventKind.TOOL_CALL)}
    results = _of(events, EventKind.TOOL_RESULT)
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
    for event in _of(play(name)[1], EventKind.TOOL_RESULT) + _of(play(name)[1], EventKind.RESULT):
        assert (event.error_kind == "PARSED_ERROR") is event.is_error
        assert bool(event.fingerprint) is event.is_error


@pytest.mark.parametrize("name", NAMES)
def test_tokens_and_cost_are_counted_once(name: str) -> None:
    """Tokens and cost are those of the results, whatever the assistant lines repeat."""
    tokens, cost = USED[name]
    used = play(name)[0].usage()
    assert used[0] == tokens
    assert used[1] == pytest.approx(cost)


@pytest.mark.parametrize("name", NAMES)
def test_usage_events_add_up(name: str) -> None:
    """The usage events of a stream that has a result add up to its usage."""
    stream, events = play(name)
    usage = _of(events, EventKind.USAGE)
    assert len(usage) == len(_of(events, EventKind.RESULT))
    if name not in RESULTLESS:
        tokens, cost = stream.usage()
        assert sum(event.data["input"] for event in usage) == tokens.input
        assert sum(event.data["output"] for event in usage) == tokens.output
        assert sum(event.data["cost_usd"] for event in usage) == pytest.approx(cost)


@pytest.mark.parametrize("name", NAMES)
def test_failure_is_judged_by_is_error(name: str) -> None:
    """A result is an error where it says is_error, also under the subtype `success`; a cut stream has none."""
    stream, events = play(name)
    assert (stream.result is None) is (name in RESULTLESS)
    if stream.result is not None:
        assert stream.result.is_error is (name in FAILED)
        assert stream.result.reason if stream.result.is_error else stream.result.text
        assert _of(events, EventKind.RESULT)[-1].is_error is stream.result.is_error


def test_the_start_is_told() -> None:
    """The first event names model, version and tools."""
    stream, events = play("claude_hello")
    assert events[0].kind is EventKind.SYSTEM
    assert (events[0].data["model"], events[0].data["version"]) == ("claude-sonnet-4-5", "2.1.325")
    assert {"Bash", "Read", "Write", "Edit"} <= set(events[0].data["tools"])
    assert stream.model == "claude-sonnet-4-5"


def test_text_and_thinking_are_told_apart() -> None:
    """What the agent says and what it thinks are events of their own, in order."""
    stream, events = play("claude_tools_allowed")
    assert [event.text for event in _of(events, EventKind.THINKING)] == ["I will write first."]
    said = [event.text for event in _of(events, EventKind.MESSAGE)]
    assert said == ["Creating the file.", "Two commands in parallel.", "Done: created and edited hello.txt."]
    assert stream.last_message == said[-1]
    assert stream.result is not None and stream.result.text == said[-1]


def test_commands_have_their_exit_codes() -> None:
    """A shell's result has its command and exit code; an edit's has a path and no exit code."""
    results = _of(play("claude_tools_allowed")[1], EventKind.TOOL_RESULT)
    shell = [(event.command, event.exit_code, event.is_error) for event in results if event.tool == "Bash"]
    assert shell == [("cat hello.txt && git status --short", 0, False), ("echo to-stderr >&2; exit 3", 3, True)]
    others = [event for event in results if event.tool in {"Read", "Write", "Edit"}]
    assert len(others) == 5
    assert all(event.path and event.exit_code is None and event.command is None for event in others)


def test_durations_come_from_the_timestamps() -> None:
    """A call that was killed after 2.4 s by its timestamps took 2.4 s."""
    (result,) = _of(play("claude_sigterm_in_bash")[1], EventKind.TOOL_RESULT)
    assert result.duration_s == pytest.approx(2.382)
    assert result.exit_code == 137


def test_denials_are_told() -> None:
    """A denied call gives a denial with its tool and command, and counts in the last word of a success."""
    stream, events = play("claude_tools_default")
    denials = _of(events, EventKind.DENIAL)
    assert [(event.tool, bool(event.path), event.command) for event in denials] == [
        ("Write", True, None),
        ("Bash", False, "echo to-stderr >&2; exit 3"),
    ]
    results = {event.call_id: event for event in _of(events, EventKind.TOOL_RESULT)}
    for denial in denials:
        assert results[denial.call_id].is_error
        assert results[denial.call_id].exit_code is None
        assert results[denial.call_id].data["not_run"] == "user-rejected"
    assert stream.result is not None
    assert (stream.result.is_error, stream.result.denials) == (False, ("Write", "Bash"))


def test_like_errors_have_one_fingerprint() -> None:
    """Two edits of a file that is not there fail alike; a command that fails is another error."""
    results = [event for event in _of(play("claude_tools_default")[1], EventKind.TOOL_RESULT) if event.is_error]
    edits = {event.fingerprint for event in results if event.tool == "Edit"}
    shells = {event.fingerprint for event in results if event.tool == "Bash" and event.exit_code == 1}
    assert len(edits) == len(shells) == 1
    assert not edits & shells


def test_the_wrapping_of_an_error_does_not_count() -> None:
    """What a command said has one fingerprint, with an exit code before it, tags around it or neither."""
    texts = ("Exit code 1\nno such module", "<tool_use_error>no such module</tool_use_error>", "no such module")
    found = {StreamJson().feed(_returned(text, is_error=True))[0].fingerprint for text in texts}
    assert len(found) == 1
    assert StreamJson().feed(_returned("Exit code 1", is_error=True))[0].fingerprint


def test_a_failed_result_says_why() -> None:
    """The text of a result that is an error is its reason, also where it has no text of its own."""
    assert _of(play("claude_maxturns")[1], EventKind.RESULT)[0].text == "Reached maximum number of turns (3)"
    assert _of(play("claude_err400")[1], EventKind.RESULT)[0].text == "API Error: 400 stub says 400"


def test_a_subagents_calls_are_linked_to_their_parent() -> None:
    """What a subagent does names the call that started it, and its words are not the agent's."""
    stream, events = play("claude_subagent")
    calls = {call.tool: call for call in _of(events, EventKind.TOOL_CALL)}
    assert calls["Agent"].parent_call_id is None
    assert calls["Bash"].parent_call_id == calls["Agent"].call_id
    assert [event.text for event in events if event.kind is EventKind.MESSAGE and event.parent_call_id] == ["done"]
    before = StreamJson()
    for line in _lines("claude_subagent")[:10]:
        before.feed(line)
    assert before.last_message == "subagent returned"
    assert stream.last_message == "(script exhausted)"


def test_a_stream_is_read_past_its_first_result() -> None:
    """Of several results the newest is the last word, and the cost that both repeat counts once."""
    stream, events = play("claude_subagent")
    assert [event.text for event in _of(events, EventKind.RESULT)] == ["subagent returned", "(script exhausted)"]
    assert stream.result is not None and stream.result.text == "(script exhausted)"


@pytest.mark.parametrize(("name", "count"), [("claude_err401", 7), ("claude_err529_r2", 2), ("claude_flaky529", 2)])
def test_retries_are_told(name: str, count: int) -> None:
    """Every retry of a request is an event with its number and the status that caused it."""
    retries = _of(play(name)[1], EventKind.RETRY)
    assert [event.data["attempt"] for event in retries] == list(range(1, count + 1))
    assert {event.data["error_status"] for event in retries} == {int(name[10:13]) if "err" in name else 529}


def test_an_api_error_is_no_ordinary_message() -> None:
    """The message that stands for a failed request is marked, and the model is not `<synthetic>`."""
    stream, events = play("claude_maxtokens")
    errors = [event for event in _of(events, EventKind.MESSAGE) if event.is_error]
    assert [event.data["error"] for event in errors] == ["max_output_tokens"]
    assert stream.model == "claude-sonnet-4-5"


def test_a_running_stream_counts_each_message_once() -> None:
    """Before the result, tokens are counted once for each message, although three lines repeat them."""
    stream = StreamJson()
    for line in _lines("claude_tools_allowed")[:5]:
        stream.feed(line)
    assert stream.usage() == (Usage(100, 1, 0, 50), 0.0)


def test_partial_messages_correct_the_running_count() -> None:
    """Where partial messages are streamed, the end of a message gives its real output tokens."""
    stream = StreamJson()
    for line in _lines("claude_partial")[:-1]:
        stream.feed(line)
    assert stream.usage() == (Usage(210, 41, 1000, 100), 0.0)


def _result(**fields: Any) -> str:
    return json.dumps({"type": "result", "subtype": "success", "is_error": False, "session_id": "a", **fields})


def test_older_results_are_cumulative_within_a_session() -> None:
    """Without model_usage_since_last_result, a later result of a session replaces the earlier one."""
    stream, models = StreamJson(), {"m": {"inputTokens": 10, "outputTokens": 5}}
    stream.feed(_result(total_cost_usd=0.5, usage={"input_tokens": 7}, modelUsage=models))
    models["m"]["inputTokens"] = 30
    stream.feed(_result(total_cost_usd=0.75, usage={"input_tokens": 9}, modelUsage=models))
    assert stream.usage() == (Usage(30, 5), 0.75)


def test_a_resumed_session_counts_what_is_new() -> None:
    """An empty model_usage_since_last_result means that nothing was used, whatever the session cost before."""
    stream = StreamJson()
    models = {"m": {"inputTokens": 10, "costUSD": 0.5}}
    stream.feed(_result(total_cost_usd=0.5, modelUsage=models, model_usage_since_last_result={}))
    assert stream.usage() == (Usage(), 0.0)


def test_sessions_of_one_stream_add_up() -> None:
    """A program that starts an agent twice has used what both say."""
    stream = StreamJson()
    stream.feed(_result(total_cost_usd=0.5, usage={"input_tokens": 7}))
    stream.feed(_result(total_cost_usd=0.25, usage={"input_tokens": 9}, session_id="b"))
    assert stream.usage() == (Usage(16), 0.75)


def _call(tool: str, at: str = "", **given: Any) -> str:
    block = {"type": "tool_use", "id": "t1", "name": tool, "input": given}
    return json.dumps({"type": "assistant", "message": {"id": "m1", "content": [block]}, "timestamp": at})


def _returned(text: Any, told: Any = None, at: str = "", **fields: Any) -> str:
    block = {"type": "tool_result", "tool_use_id": "t1", "content": text, **fields}
    return json.dumps({"type": "user", "message": {"content": [block]}, "tool_use_result": told, "timestamp": at})


@pytest.mark.parametrize(
    ("called", "returned", "duration"),
    [
        ("", "", 2.5),
        ("2026-11-15T07:00:00.000Z", "", 2.5),
        ("2026-11-15T07:00:00.000Z", "2026-11-15T07:00:09.250Z", 9.25),
        ("2026-11-15T08:00:00+01:00", "2026-11-15T07:00:01", 1.0),
        ("2026-11-15T07:00:00Z", "2026-11-15T06:00:01Z", 2.5),
        ("yesterday", "0001-01-01T00:00:00+23:59", 2.5),
    ],
)
def test_without_timestamps_our_own_clock_counts(called: str, returned: str, duration: float) -> None:
    """The lines' own times give the duration; where one is missing or runs backwards, when they came does."""
    now = iter([10.0, 12.5])
    stream = StreamJson(clock=lambda: next(now))
    stream.feed(_call("Bash", at=called, command="sleep 2.5"))
    assert stream.feed(_returned("ok", at=returned))[0].duration_s == duration


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
    stream.feed(_call("Bash", command="grep x y", **given))
    assert stream.feed(_returned("", told))[0].exit_code is None


def test_a_file_that_speaks_of_exit_codes_has_none() -> None:
    """Only a shell's result has an exit code, whatever the text of another says."""
    stream = StreamJson()
    stream.feed(_call("Read", file_path="log.txt"))
    result = stream.feed(_returned("Exit code 3", is_error=True))[0]
    assert (result.exit_code, result.path) == (None, "log.txt")


def test_a_result_may_be_a_list_of_parts() -> None:
    """Of a list, the texts are kept and other parts named."""
    parts = [{"type": "text", "text": "a"}, {"type": "image", "source": {}}, {"type": "text", "text": "b"}]
    assert StreamJson().feed(_returned(parts))[0].text == "a\n[image]\nb"


def test_what_the_cli_tells_the_agent_is_kept() -> None:
    """Text of a user line, such as an interruption, is an event that says where it came from."""
    told = [event for event in play("claude_sigint_in_bash")[1] if event.data.get("subtype") == "user"]
    assert [event.text for event in told] == ["[Request interrupted by user for tool use]"]


@pytest.mark.parametrize(
    "line",
    [
        "plain words",
        '{"type": "assistant", "message": {"content": [{"type": "te',
        "[1, 2]",
        "null",
        '{"type": "nobody knows"}',
        '{"type": "assistant", "message": 3}',
        '{"type": "result", "subtype": "success"}',
        '{"type": ["list"]}',
        "[" * 100_000,
        "1" * 5000,
    ],
)
def test_what_is_not_understood_is_kept_raw(line: str) -> None:
    """A line that is not JSON, or of a shape that nobody knows, comes back as it was and is counted."""
    stream = StreamJson()
    (event,) = stream.feed(line + "\n")
    assert event.kind is EventKind.RAW
    assert event.text == line[:RAW_LIMIT]
    assert event.data == ({"cut_from": len(line)} if len(line) > RAW_LIMIT else {})
    assert stream.unknown == 1


def test_an_unknown_block_does_not_hide_the_others() -> None:
    """A block that nobody knows is raw; what stands beside it is read."""
    content = [{"type": "hologram", "x": 1}, {"type": "text", "text": "hi"}]
    stream = StreamJson()
    events = stream.feed(json.dumps({"type": "assistant", "message": {"content": content}}))
    assert [event.kind for event in events] == [EventKind.RAW, EventKind.MESSAGE]
    assert json.loads(events[0].text) == content[0]
    assert stream.unknown == 1


def test_long_texts_are_cut_and_say_so() -> None:
    """A tool result longer than the limit is cut, and its data tells how long it was."""
    result = StreamJson().feed(_returned("x" * (TEXT_LIMIT + 1)))[0]
    assert len(result.text) == TEXT_LIMIT
    assert result.data["cut_from"] == TEXT_LIMIT + 1


def test_what_no_database_takes_is_left_off() -> None:
    """Numbers without end and nesting without end do not reach an event's data."""
    deep = "[" * 300 + "1" + "]" * 300
    block = f'{{"type": "tool_use", "id": "t", "name": "X", "input": {{"big": 1e999, "deep": {deep}}}}}'
    (call,) = StreamJson().feed(f'{{"type": "assistant", "message": {{"content": [{block}]}}}}')
    assert call.data["input"]["big"] is None
    assert json.dumps(call.data["input"]["deep"]).count("[") < 30


def test_memory_stays_bounded_over_many_open_calls() -> None:
    """Calls and messages that never get their result are forgotten, but their tokens are not."""
    stream = StreamJson()
    tracemalloc.start()
    for number in range(4000):
        block = {"type": "tool_use", "id": f"t{number}", "name": "Bash", "input": {"command": f"{number:010000}"}}
        message = {"id": f"m{number}", "content": [block], "usage": {"input_tokens": 1}}
        stream.take({"type": "assistant", "message": message})
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert stream.usage()[0].input == 4000
    assert held < 15_000_000  # all 4,000 commands would be 40 MB


HOSTILE = st.text(st.sampled_from('a0 \n\0\ud800\udfff😀\\"{}'), max_size=8)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | HOSTILE
WORDS = st.sampled_from(
    [
        *TYPES,
        *("type", "subtype", "message", "content", "text", "thinking", "tool_use", "tool_result", "id", "name"),
        *("input", "command", "file_path", "tool_use_id", "is_error", "timestamp", "parent_tool_use_id", "usage"),
        *("result", "errors", "permission_denials", "modelUsage", "model_usage_since_last_result", "init"),
        *("input_tokens", "total_cost_usd", "duration_ms", "api_retry", "permission_denied", "Bash", "event"),
    ]
)
JSON = st.recursive(
    SCALARS | WORDS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS | HOSTILE, inner, max_size=4),
    max_leaves=8,
)


def _check(stream: StreamJson, line: str) -> None:
    """Feed a line and hold the stream to all that must be true of any."""
    skipped, unknown = stream.skipped, stream.unknown
    events = stream.feed(line)
    assert bool(events) is not (stream.skipped == skipped + 1)
    assert stream.unknown - unknown == sum(event.kind is EventKind.RAW for event in events)
    for event in events:
        assert len(event.text) <= TEXT_LIMIT
        json.dumps(dataclasses.asdict(event), ensure_ascii=False, allow_nan=False).encode("utf-8")
        assert "\0" not in event.text
        assert "\\u0000" not in json.dumps(event.data).replace("\\\\", "")
    tokens, cost = stream.usage()
    assert min(dataclasses.astuple(tokens)) >= 0 and cost >= 0


@given(st.lists(st.text(st.characters()), max_size=3))
def test_any_text_is_survived(lines: list[str]) -> None:
    """No text whatever raises; each line is kept, skipped or understood, and can be stored."""
    stream = StreamJson()
    for line in lines:
        _check(stream, line)


@given(st.lists(st.tuples(st.sampled_from(sorted(TYPES)), st.dictionaries(WORDS, JSON, max_size=5)), max_size=2))
def test_any_json_is_survived(lines: list[tuple[str, dict[str, Any]]]) -> None:
    """No JSON whatever raises, also where it looks like a line of the protocol."""
    stream = StreamJson()
    for kind, fields in lines:
        _check(stream, json.dumps({**fields, "type": kind}))
        _check(stream, json.dumps(fields))


def _mutate(value: Any, new: Any, chance: random.Random) -> Any:
    """Put something else at one place, found by walking down from the top."""
    if not isinstance(value, dict | list) or not value or chance.random() < 0.15:
        return new
    key = chance.choice(list(value)) if isinstance(value, dict) else chance.randrange(len(value))
    copy = value.copy()
    copy[key] = _mutate(value[key], new, chance)
    return copy


@given(st.lists(st.tuples(st.sampled_from(LINES), JSON, st.randoms()), min_size=1, max_size=6))
def test_damaged_recordings_are_survived(damages: list[tuple[str, Any, random.Random]]) -> None:
    """A real line with anything at any place in it does not raise, and nothing of it is lost."""
    stream = StreamJson()
    for line, new, chance in damages:
        _check(stream, json.dumps(_mutate(json.loads(line), new, chance)))


@given(st.sampled_from(LINES), st.data())
def test_cut_lines_are_kept_raw(line: str, data: st.DataObject) -> None:
    """A line that was cut anywhere is not JSON any more: it is kept raw and counted."""
    cut = line[: data.draw(st.integers(1, len(line) - 1))]
    stream = StreamJson()
    _check(stream, cut)
    assert stream.unknown == 1


def test_the_recordings_cover_every_kind_of_event() -> None:
    """Together the recordings hold each kind of event that a stream can give, but for raw ones."""
    kinds = Counter(event.kind for name in NAMES for event in play(name)[1])
    ours = {EventKind.ERROR, EventKind.VERDICT, EventKind.STDERR, EventKind.RAW, EventKind.NOTE}
    humans = {EventKind.PROMPT, EventKind.REJECTION, EventKind.INTERRUPT}
    assert set(kinds) == set(EventKind) - ours - humans


def test_stream_json_is_known_by_its_type() -> None:
    """Only an object whose type the protocol has is taken for one of its lines."""
    assert is_stream_json({"type": "system"})
    others: list[object] = [{"type": "thread.started"}, {"type": []}, [], None, {"a": 1}]
    assert not any(is_stream_json(value) for value in others)
