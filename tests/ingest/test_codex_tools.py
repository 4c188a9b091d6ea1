"""Each kind of tool that Codex writes down becomes a call and a result."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ingest.codex import call, exited, item, news, of_kind, output, told
from loopwright.records.event import Event, EventKind

CALLS: list[tuple[dict[str, Any], str, str | None]] = [
    (call("c1", "ls"), "exec_command", "ls"),
    (item("function_call", name="shell", call_id="c1", arguments='{"command":["bash","-lc","ls"]}'), "shell", "ls"),
    (item("function_call", name="shell_command", call_id="c1", arguments='{"command":"ls"}'), "shell_command", "ls"),
    (item("local_shell_call", call_id="c1", action={"type": "exec", "command": ["ls"]}), "local_shell", "ls"),
    (item("local_shell_call", id="c1", action={"type": "exec", "command": ["ls"]}), "local_shell", "ls"),
    (
        item("function_call", name="fetch", namespace="mcp__github", call_id="c1", arguments="{}"),
        "mcp__github.fetch",
        None,
    ),
    (item("custom_tool_call", name="apply_patch", call_id="c1", input="*** Begin Patch"), "apply_patch", None),
    (item("function_call", name="view_image", call_id="c1", arguments="{cut"), "view_image", None),
    (item("tool_search_call", call_id="c1", arguments={"query": "x"}), "tool_search", None),
]


def joined(events: list[Event]) -> tuple[Event, Event]:
    """Give the one call and its one result."""
    (one,), (two,) = of_kind(events, EventKind.TOOL_CALL), of_kind(events, EventKind.TOOL_RESULT)
    assert one.call_id == two.call_id
    assert one.tool == two.tool
    return one, two


@pytest.mark.parametrize(("line", "tool", "command"), CALLS)
def test_calls_of_all_kinds(line: dict[str, Any], tool: str, command: str | None) -> None:
    """The tool is named, and a shell has its command."""
    one, _ = joined(told(line, output("c1", "ok")))
    assert (one.tool, one.command) == (tool, command)


def test_tools_that_were_found_are_a_result() -> None:
    """A search for tools ends with how many there are."""
    found = item("tool_search_output", call_id="c1", tools=[{}, {}])
    _, result = joined(told(item("tool_search_call", call_id="c1", arguments={"query": "x"}), found))
    assert result.text == "2 tools"


def test_a_search_of_the_web_is_told_once() -> None:
    """Two lines tell of it, of which one has no id in older versions, and both have it in newer ones."""
    action = {"type": "search", "query": "codex"}
    end = news("web_search_end", call_id="ws_1", query="codex", action=action)
    for line in (item("web_search_call", action=action), item("web_search_call", id="ws_1", action=action)):
        one, _ = joined(told(end, line))
        assert (one.call_id, one.data["input"]) == ("ws_1", action)
        joined(told(line, end))
    assert len(told(end, item("web_search_call", action={"type": "open_page"}))) == 4


def test_a_patch_that_was_not_applied_is_an_error() -> None:
    """The line about its end says so, and which file it was."""
    patch = item("custom_tool_call", name="apply_patch", call_id="c1", input="")
    end = news("patch_apply_end", call_id="c1", success=False, stderr="no", changes={"/w/a.py": {"type": "update"}})
    done = item("custom_tool_call_output", call_id="c1", output="failed")
    assert joined(told(patch, end, done))[1].is_error
    assert not joined(told(patch, news("patch_apply_end", call_id="c1", success=True, changes={}), done))[1].is_error


@pytest.mark.parametrize(
    ("result", "failed"),
    [({"Ok": {"content": [], "isError": False}}, False), ({"Ok": {"isError": True}}, True), ({"Err": "no"}, True)],
)
def test_a_tool_of_a_server_says_whether_it_failed(result: dict[str, Any], failed: bool) -> None:
    """What the server answered counts, and how long it took."""
    end = news("mcp_tool_call_end", call_id="c1", result=result, duration={"secs": 4, "nanos": 250_000_000})
    line = item("function_call", name="fetch", namespace="mcp__github", call_id="c1", arguments="{}")
    _, done = joined(told(line, end, output("c1", "[]")))
    assert (done.is_error, done.duration_s) == (failed, 4.25)


def test_what_a_program_of_the_model_called_counts() -> None:
    """A tool that the conversation does not have, as it was called by code, is a call and a result of its own."""
    ran = {"type": "CommandExecution", "id": "exec-1", "command": ["/bin/bash", "-lc", "make"], "status": "failed"}
    ran |= {"aggregated_output": "no", "exit_code": 2, "duration": {"secs": 1, "nanos": 0}, "source": "agent"}
    one, two = joined(told(news("item_completed", item=ran)))
    assert (one.tool, one.command, one.call_id) == ("shell", "make", "exec-1")
    assert (two.exit_code, two.is_error, two.text, two.duration_s) == (2, True, "no", 1.0)
    server = {"invocation": {"server": "github", "tool": "fetch", "arguments": {}}, "result": {"Ok": {}}}
    assert joined(told(news("mcp_tool_call_end", call_id="x", **server)))[0].tool == "github.fetch"
    change = {"type": "FileChange", "id": "p", "changes": {"/w/a.py": {}}, "status": "completed"}
    assert joined(told(news("item_completed", item=change)))[0].path == "/w/a.py"


def test_what_a_human_ran_is_no_call() -> None:
    """A command that the user typed into Codex is not the agent's."""
    ran = {"type": "CommandExecution", "id": "u1", "command": ["ls"], "source": "user_shell"}
    assert told(news("item_completed", item=ran)) == []


def test_the_end_that_the_terminal_was_told_is_no_second_call() -> None:
    """It stands before the result or after it."""
    ran = {"type": "CommandExecution", "id": "c1", "command": ["bash", "-lc", "ls"], "exit_code": 0, "source": "agent"}
    end = news("item_completed", item=ran)
    for lines in ((end, output("c1", exited(0))), (output("c1", exited(0)), end)):
        assert joined(told(call("c1", "ls"), *lines))[1].exit_code == 0


def test_an_image_is_a_call_without_its_bytes() -> None:
    """What was drawn is not kept."""
    line = item("image_generation_call", id="ig_1", revised_prompt="a cat", result="A" * 100)
    one, two = joined(told(line))
    assert (one.data["input"], two.text) == ({"prompt": "a cat"}, "[image]")


def test_arguments_are_kept_as_they_are() -> None:
    """What is no JSON is kept as text."""
    (one,) = told(item("function_call", name="x", call_id="c1", arguments="{cut"))
    assert one.data["input"] == {"input": "{cut"}
    assert json.dumps(one.data)
