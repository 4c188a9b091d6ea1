"""A session of the first versions becomes the lines of later ones."""

from __future__ import annotations

from typing import Any

from ingest.copilot import told
from loopwright.ingest.copilot_document import lines_in
from loopwright.records.event import EventKind

ENTRIES: list[Any] = [
    {"type": "user", "timestamp": "2025-10-08T21:10:20.000Z", "text": "Fix it"},
    {"type": "copilot", "timestamp": "2025-10-08T21:10:21.000Z", "text": "I look."},
    {"type": "tool_call_requested", "callId": "c1", "name": "bash", "arguments": {"command": "ls"}},
    {"type": "tool_call_completed", "callId": "c1", "toolTitle": "bash", "result": {"type": "success", "log": "a.py"}},
    {"type": "tool_call_completed", "callId": "c2", "name": "bash", "result": {"type": "rejected", "log": "no"}},
    {"type": "info", "text": "bye"},
]


def test_a_time_line_is_read() -> None:
    """Words, calls, results and a human's no are there, with their times."""
    events = told(*lines_in({"sessionId": "s", "startTime": "2025-10-08T21:10:16.398Z", "timeline": ENTRIES}))
    assert [event.kind.value for event in events] == [
        *("prompt", "message", "tool_call", "tool_result"),
        *("tool_call", "tool_result", "rejection", "system"),
    ]
    assert events[0].at == "2025-10-08T21:10:20.000Z"
    assert events[3].command == "ls"


def test_messages_are_read_where_there_is_no_time_line() -> None:
    """They are those that the model was sent."""
    calls = [
        {"id": "c1", "function": {"name": "bash", "arguments": '{"command":"ls"}'}},
        {"function": {"arguments": "{"}},
    ]
    messages = [
        *({"role": "system", "content": "You are"}, {"role": "user", "content": "Fix it"}),
        *(
            {"role": "assistant", "content": "", "tool_calls": calls},
            {"role": "tool", "tool_call_id": "c1", "content": "a"},
        ),
    ]
    events = told(*lines_in({"sessionId": "s", "chatMessages": messages, "timeline": []}))
    assert [event.kind for event in events] == [
        *(EventKind.SYSTEM, EventKind.PROMPT, EventKind.TOOL_CALL, EventKind.TOOL_CALL, EventKind.TOOL_RESULT),
    ]


def test_what_is_not_understood_stays_as_it_was() -> None:
    """Entries and messages of unknown kinds are given as they are."""
    odd: list[Any] = [7, {"type": "hologram"}, {"type": []}]
    assert list(lines_in({"timeline": odd}))[1:] == odd
    assert list(lines_in({"chatMessages": [7, {"role": []}]}))[1:] == [7, {"role": []}]
    assert len(list(lines_in(None))) == 1
