"""Codex's items, errors and counts."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopwright.records.budget import Usage
from loopwright.records.event import EventKind
from loopwright.text.codex_lines import Items, inner, retry, usage_of, words

COUNTS = st.integers(0, 10**6)


def test_one_patch_of_many_files_is_one_event_each() -> None:
    """Each path of a patch has a call and a result of its own, joined by an id that no other has."""
    items = Items()
    changes = [{"path": "/w/a", "kind": "add"}, {"path": "/w/b", "kind": "delete"}]
    item = {"id": "item_2", "type": "file_change", "changes": changes, "status": "in_progress"}
    calls, results = items.started(item), items.completed({**item, "status": "completed"})
    assert calls is not None
    assert results is not None
    assert [event.path for event in results] == ["/w/a", "/w/b"]
    assert [event.call_id for event in calls] == [event.call_id for event in results]
    assert len({event.call_id for event in results}) == 2


def test_a_command_has_its_time() -> None:
    """What a command took is measured between its two lines."""
    moments = iter((10.0, 12.5))
    items = Items(lambda: next(moments))
    item = {"id": "item_1", "type": "command_execution", "command": "/bin/bash -lc 'make'", "status": "in_progress"}
    items.started(item)
    (result,) = items.completed({**item, "status": "failed", "exit_code": 2, "aggregated_output": "no"}) or []
    assert (result.duration_s, result.command, result.exit_code, result.is_error) == (2.5, "make", 2, True)
    assert result.fingerprint


def test_what_was_declined_is_a_denial() -> None:
    """A tool call that policy declines is no result, and is counted."""
    items = Items()
    item = {"id": "item_1", "type": "command_execution", "command": "rm -rf /", "status": "declined"}
    (event,) = items.completed(item) or []
    assert (event.kind, event.command, items.denied) == (EventKind.DENIAL, "rm -rf /", ["shell"])


@pytest.mark.parametrize(
    ("item", "tool", "text"),
    [
        ({"type": "web_search", "query": "x"}, "web_search", ""),
        (
            {
                "type": "mcp_tool_call",
                "server": "s",
                "tool": "t",
                "result": {"content": [{"type": "text", "text": "y"}]},
            },
            "s.t",
            "y",
        ),
        (
            {"type": "mcp_tool_call", "server": "s", "tool": "t", "error": {"message": "bad"}, "status": "failed"},
            "s.t",
            "bad",
        ),
        ({"type": "collab_tool_call", "tool": "spawn_agent"}, "spawn_agent", ""),
    ],
)
def test_other_tools(item: dict[str, object], tool: str, text: str) -> None:
    """Searches, servers of tools and other agents are calls and results as well."""
    items = Items()
    (call,), (result,) = items.started({**item, "id": "i"}) or [], items.completed({**item, "id": "i"}) or []
    assert (call.kind, result.kind) == (EventKind.TOOL_CALL, EventKind.TOOL_RESULT)
    assert (call.tool, result.tool, result.text) == (tool, tool, text)
    assert result.is_error == (item.get("status") == "failed")


def test_a_plan_is_told() -> None:
    """A list of steps comes with what is done of it."""
    steps = [{"text": "look", "completed": True}, {"text": "mend", "completed": False}]
    (event,) = Items().completed({"id": "i", "type": "todo_list", "items": steps}) or []
    assert (event.kind, event.text) == (EventKind.SYSTEM, "[x] look\n[ ] mend")


def test_an_unknown_item_is_not_understood() -> None:
    """What nobody knows is left to be kept as it was."""
    assert Items().started({"type": "brand_new"}) is None
    assert Items().completed({"type": "brand_new"}) is None
    assert Items().completed({}) is None


@given(COUNTS, COUNTS, COUNTS, COUNTS)
def test_each_token_is_counted_once(plain: int, output: int, read: int, written: int) -> None:
    """Input as Codex counts it holds what came from a cache and went into it; here they are apart."""
    told = {
        "input_tokens": plain + read + written,
        "cached_input_tokens": read,
        "cache_write_input_tokens": written,
        "output_tokens": output,
    }
    assert usage_of(told) == Usage(plain, output, read, written)
    assert usage_of(told).total == told["input_tokens"] + output


@pytest.mark.parametrize(
    "value", [None, 3, "x", [], {"input_tokens": -1}, {"input_tokens": True}, {"input_tokens": 10**40}]
)
def test_a_count_that_is_none_is_nothing(value: object) -> None:
    """What is no count counts as nothing."""
    assert usage_of(value) == Usage()


@pytest.mark.parametrize(
    ("said", "attempt", "why"),
    [
        ("Reconnecting... 2/5 (stream closed (early))", 2, "stream closed (early)"),
        ("Reconnecting... 2/5", 2, ""),
        ("Reconnecting... waiting for network (Connection failed)", None, "Connection failed"),
    ],
)
def test_reconnecting_is_a_retry(said: str, attempt: int | None, why: str) -> None:
    """A line about reconnecting has its number and its reason, where it says them."""
    event = retry(said)
    assert event is not None
    assert (event.kind, event.data.get("attempt"), event.data["error"]) == (EventKind.RETRY, attempt, why)
    assert retry("it broke; Reconnecting... 1/5") is None


def test_words_come_out_of_json() -> None:
    """An error that is the server's JSON is read; any other is left as it is."""
    assert words(json.dumps({"error": {"message": "too bad"}})) == "too bad"
    assert words(json.dumps({"detail": "not supported"})) == "not supported"
    assert [words(said) for said in ("plain", "[1]", "{", None)] == ["plain", "[1]", "{", ""]


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("/bin/bash -lc 'echo two'", "echo two"),
        ("bash -c \"echo 'x y'\"", "echo 'x y'"),
        ("/bin/bash -lc make", "make"),
        ("git status", "git status"),
        ("bash script.sh", "bash script.sh"),
        ("echo 'open", "echo 'open"),
    ],
)
def test_the_shell_around_a_command_is_left_off(command: str, expected: str) -> None:
    """A command is what the model wrote."""
    assert inner(command) == expected
