"""Lines of any agent: whatever comes is understood or kept as it was."""

from __future__ import annotations

import dataclasses
import json
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopwright.records.event import Event, EventKind
from loopwright.run.agent_stream import AgentStream
from loopwright.text.bounded import TEXT_LIMIT
from loopwright.text.stream_json import SKIPPED, TYPES
from loopwright.text.told import RAW_LIMIT
from recordings import cases, recorded

LINES = [line for name in cases("claude") for line in recorded(name)]


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
    """A line that is not JSON, or of a shape that nobody knows, comes back as it was."""
    (event,) = AgentStream().feed(line + "\n")
    assert event.kind is EventKind.RAW
    assert event.text == line[:RAW_LIMIT]
    assert event.data == ({"cut_from": len(line)} if len(line) > RAW_LIMIT else {})


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


def _check(stream: AgentStream, line: str) -> list[Event]:
    """Feed a line and hold the stream to all that must be true of any."""
    events = list(stream.feed(line))
    assert events or not line.strip() or json.loads(line)["type"] in {*SKIPPED, "assistant", "user"}
    for event in events:
        assert len(event.text) <= TEXT_LIMIT
        json.dumps(dataclasses.asdict(event), ensure_ascii=False, allow_nan=False).encode("utf-8")
        assert "\0" not in event.text
        assert "\\u0000" not in json.dumps(event.data).replace("\\\\", "")
    tokens, cost = stream.usage()
    assert min(dataclasses.astuple(tokens)) >= 0 and cost >= 0
    return events


@given(st.lists(st.text(st.characters()), max_size=3))
def test_any_text_is_survived(lines: list[str]) -> None:
    """No text whatever raises; each line is kept, skipped or understood, and can be stored."""
    stream = AgentStream()
    for line in lines:
        _check(stream, line)


@given(st.sampled_from(LINES), st.data())
def test_cut_lines_are_kept_raw(line: str, data: st.DataObject) -> None:
    """A line that was cut anywhere is not JSON any more: it is kept raw."""
    cut = line[: data.draw(st.integers(1, len(line) - 1))]
    assert [event.kind for event in _check(AgentStream(), cut)] == [EventKind.RAW]


@given(st.lists(st.tuples(st.sampled_from(sorted(TYPES)), st.dictionaries(WORDS, JSON, max_size=5)), max_size=2))
def test_any_json_is_survived(lines: list[tuple[str, dict[str, Any]]]) -> None:
    """No JSON whatever raises, also where it looks like a line of the protocol."""
    stream = AgentStream()
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
    stream = AgentStream()
    for line, new, chance in damages:
        _check(stream, json.dumps(_mutate(json.loads(line), new, chance)))
