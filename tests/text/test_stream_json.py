"""Claude Code's stream-json, over recordings of it; whatever else may come is in run/test_json_stream.py."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from claude_words import NAMES, RESULTLESS, play, tell

from loopwright.records.event import EventKind
from loopwright.text.stream_json import SKIPPED, StreamJson
from recordings import of_kind, recorded

FAILED = {
    *("claude_budget", "claude_err400", "claude_err529_r2", "claude_maxtokens", "claude_maxturns", "claude_refusal"),
    *("claude_resume_missing", "claude_sigint_in_bash", "claude_toolong", "claude_badall", "claude_c197r_othercwd"),
    *("claude_err403", "claude_err404", "claude_err429_r2", "claude_err500_r2", "claude_err529_defaultretries"),
}


@pytest.mark.parametrize("name", NAMES)
def test_no_line_is_lost(name: str) -> None:
    """Every line of a recording is understood, and gives events or is of a kind that is skipped."""
    stream = StreamJson()
    silent = [line for line in recorded(name) if not tell(stream, line)]
    assert all(json.loads(line)["type"] in SKIPPED for line in silent)


@pytest.mark.parametrize("name", NAMES)
def test_failure_is_judged_by_is_error(name: str) -> None:
    """A result is an error where it says is_error, also under the subtype `success`; a cut stream has none."""
    stream, events = play(name)
    assert (stream.result is None) is (name in RESULTLESS)
    if stream.result is not None:
        assert stream.result.is_error is (name in FAILED)
        assert stream.result.reason if stream.result.is_error else stream.result.text
        assert of_kind(events, EventKind.RESULT)[-1].is_error is stream.result.is_error


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
    assert [event.text for event in of_kind(events, EventKind.THINKING)] == ["I will write first."]
    said = [event.text for event in of_kind(events, EventKind.MESSAGE)]
    assert said == ["Creating the file.", "Two commands in parallel.", "Done: created and edited hello.txt."]
    assert stream.last_message == said[-1]
    assert stream.result is not None and stream.result.text == said[-1]


def test_a_failed_result_says_why() -> None:
    """The text of a result that is an error is its reason, also where it has no text of its own."""
    assert of_kind(play("claude_maxturns")[1], EventKind.RESULT)[0].text == "Reached maximum number of turns (3)"
    assert of_kind(play("claude_err400")[1], EventKind.RESULT)[0].text == "API Error: 400 stub says 400"


def test_a_stream_is_read_past_its_first_result() -> None:
    """Of several results the newest is the last word, and the cost that both repeat counts once."""
    stream, events = play("claude_subagent")
    assert [event.text for event in of_kind(events, EventKind.RESULT)] == ["subagent returned", "(script exhausted)"]
    assert stream.result is not None and stream.result.text == "(script exhausted)"


@pytest.mark.parametrize(("name", "count"), [("claude_err401", 7), ("claude_err529_r2", 2), ("claude_flaky529", 2)])
def test_retries_are_told(name: str, count: int) -> None:
    """Every retry of a request is an event with its number and the status that caused it."""
    retries = of_kind(play(name)[1], EventKind.RETRY)
    assert [event.data["attempt"] for event in retries] == list(range(1, count + 1))
    assert {event.data["error_status"] for event in retries} == {int(name[10:13]) if "err" in name else 529}


def test_an_api_error_is_no_ordinary_message() -> None:
    """The message that stands for a failed request is marked, and the model is not `<synthetic>`."""
    stream, events = play("claude_maxtokens")
    errors = [event for event in of_kind(events, EventKind.MESSAGE) if event.is_error]
    assert [event.data["error"] for event in errors] == ["max_output_tokens"]
    assert stream.model == "claude-sonnet-4-5"


def test_what_the_cli_tells_the_agent_is_kept() -> None:
    """Text of a user line, such as an interruption, is an event that says where it came from."""
    told = [event for event in play("claude_sigint_in_bash")[1] if event.data.get("subtype") == "user"]
    assert [event.text for event in told] == ["[Request interrupted by user for tool use]"]


def test_an_unknown_block_does_not_hide_the_others() -> None:
    """A block that nobody knows is raw; what stands beside it is read."""
    content = [{"type": "hologram", "x": 1}, {"type": "text", "text": "hi"}]
    events = tell(StreamJson(), json.dumps({"type": "assistant", "message": {"content": content}}))
    assert [event.kind for event in events] == [EventKind.RAW, EventKind.MESSAGE]
    assert json.loads(events[0].text) == content[0]


def test_what_no_database_takes_is_left_off() -> None:
    """Numbers without end and nesting without end do not reach an event's data."""
    deep = "[" * 300 + "1" + "]" * 300
    block = f'{{"type": "tool_use", "id": "t", "name": "X", "input": {{"big": 1e999, "deep": {deep}}}}}'
    (call,) = tell(StreamJson(), f'{{"type": "assistant", "message": {{"content": [{block}]}}}}')
    assert call.data["input"]["big"] is None
    assert json.dumps(call.data["input"]["deep"]).count("[") < 30


def test_the_recordings_cover_every_kind_of_event() -> None:
    """Together the recordings hold each kind of event that a stream can give, but for raw ones."""
    kinds = Counter(event.kind for name in NAMES for event in play(name)[1])
    ours = {EventKind.ERROR, EventKind.VERDICT, EventKind.STDERR, EventKind.RAW, EventKind.NOTE}
    humans = {EventKind.PROMPT, EventKind.REJECTION, EventKind.INTERRUPT}
    assert set(kinds) == set(EventKind) - ours - humans
