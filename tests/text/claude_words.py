"""Claude Code's lines, recorded or made up, read by the reader of stream-json."""

from __future__ import annotations

import json
from typing import Any

from loopwright.records.event import Event
from loopwright.text.bounded import parse
from loopwright.text.stream_json import StreamJson
from recordings import cases, recorded

NAMES = sorted(cases("claude"))
RESULTLESS = {
    *("claude_err401", "claude_sessionid_reuse", "claude_sigkill_in_bash", "claude_sigterm_in_bash"),
    *("claude_sigterm_in_stream", "claude_tools_bypass_root"),
}


def tell(stream: StreamJson, *lines: str) -> list[Event]:
    """Give the events of lines that are all understood."""
    events = [stream.read(parse(line)) for line in lines]
    assert None not in events
    return [event for each in events for event in each or ()]


def play(name: str) -> tuple[StreamJson, list[Event]]:
    """Read a recording to its end."""
    stream = StreamJson()
    return stream, tell(stream, *recorded(name))


def call(tool: str, at: str = "", **given: Any) -> str:
    """Write the line of a tool call."""
    block = {"type": "tool_use", "id": "t1", "name": tool, "input": given}
    return json.dumps({"type": "assistant", "message": {"id": "m1", "content": [block]}, "timestamp": at})


def returned(text: Any, told: Any = None, at: str = "", **fields: Any) -> str:
    """Write the line of its result."""
    block = {"type": "tool_result", "tool_use_id": "t1", "content": text, **fields}
    return json.dumps({"type": "user", "message": {"content": [block]}, "tool_use_result": told, "timestamp": at})
