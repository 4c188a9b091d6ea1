"""What Codex writes down of tools -> calls and results: parts of the conversation, and what its terminal was told."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import orjson

from loopwright.ingest.codex_calls import Calls, Facts
from loopwright.ingest.codex_words import checksum
from loopwright.records.event import Event
from loopwright.text.amounts import amount, exit_code
from loopwright.text.bounded import TEXT_LIMIT, Line, field, items, mapping
from loopwright.text.codex_lines import PATCH, SEARCH, SHELL
from loopwright.text.codex_outputs import Output, read_output
from loopwright.text.tool_calls import identity

Read = list[Event] | None
"""None: it was not understood."""

_GIVEN = ("command", "invocation", "arguments", "tool")


def _function(calls: Calls, item: Line) -> Read:
    tool, space = field(item.get("name"), 200), field(item.get("namespace"), 200)
    return calls.called(item.get("call_id"), f"{space}.{tool}" if space else tool, _arguments(item.get("arguments")))


def _custom(calls: Calls, item: Line) -> Read:
    return calls.called(item.get("call_id"), field(item.get("name"), 200), {"input": item.get("input")})


def _local_shell(calls: Calls, item: Line) -> Read:
    return calls.called(item.get("call_id") or item.get("id"), "local_shell", item.get("action"))


def _tool_search(calls: Calls, item: Line) -> Read:
    return calls.called(item.get("call_id"), "tool_search", _arguments(item.get("arguments")))


def _tools_found(calls: Calls, item: Line) -> Read:
    return calls.returned(item.get("call_id"), Output(f"{len(items(item.get('tools')))} tools"))


def _output(calls: Calls, item: Line) -> Read:
    return calls.returned(item.get("call_id"), read_output(item.get("output")))


def _image(calls: Calls, item: Line) -> Read:
    given = {"prompt": item.get("revised_prompt")}
    return calls.alone(identity(item.get("id")), given, Facts("image_generation", text="[image]"))


def _web_search(calls: Calls, item: Line) -> Read:
    return _searched(calls, item, again=False)


def _web_search_ended(calls: Calls, told: Line) -> Read:
    return _searched(calls, told, again=True)


def _searched(calls: Calls, told: Line, *, again: bool) -> Read:
    """Tell of a search; two lines do, and in older versions only one of them has its id."""
    action = mapping(told.get("action"))
    if calls.searches.is_second(checksum(repr(sorted(action.items(), key=str))), again):
        return []
    return calls.alone(identity(told.get("call_id")) or identity(told.get("id")), dict(action), Facts(SEARCH))


def _ended(calls: Calls, told: Line) -> Read:
    """Take the end of a tool, which another line may have called: the model, or a program that it wrote."""
    name, facts = identity(told.get("call_id")) or identity(told.get("id")), _facts(told)
    if name is None or told.get("source") == "user_shell":
        return []
    if calls.knows(name):
        calls.ended(name, facts)
        return []
    return calls.alone(name, {key: told[key] for key in _GIVEN if key in told}, facts)


def _facts(told: Line) -> Facts:
    """Read how a command, a patch or a tool of a server ended."""
    result, error = mapping(told.get("result")), told.get("error")
    answer = mapping(result.get("Ok")) or result
    failed = told.get("success") is False or told.get("status") in ("failed", "declined") or bool(error)
    text = told.get("aggregated_output") or told.get("stdout") or result.get("Err") or mapping(error).get("message")
    return Facts(
        _tool(told),
        command=told.get("command"),
        path=next((field(path) for path in mapping(told.get("changes"))), None),
        exit_code=exit_code(told.get("exit_code")),
        duration_s=_seconds(told.get("duration")),
        is_error=failed or "Err" in result or answer.get("isError") is True,
        text=field(text, TEXT_LIMIT),
    )


def _tool(told: Line) -> str:
    asked = mapping(told.get("invocation")) or told
    tool, server = field(asked.get("tool"), 200), field(asked.get("server"), 200)
    if tool:
        return f"{server}.{tool}" if server else tool
    return PATCH if "changes" in told else SHELL


def _arguments(given: object) -> object:
    """Read the arguments of a call, which stand as JSON in a text."""
    if not isinstance(given, str):
        return given
    try:
        return orjson.loads(given)
    except ValueError:
        return {"input": given}


def _seconds(told: object) -> float | None:
    """Read a duration: `{"secs": 4, "nanos": 240616103}`."""
    return amount(told.get("secs")) + amount(told.get("nanos")) / 1e9 if isinstance(told, dict) else None


Reader = Callable[[Calls, Line], Read]

TOOLS: Mapping[str, Reader] = {
    "function_call": _function,
    "function_call_output": _output,
    "custom_tool_call": _custom,
    "custom_tool_call_output": _output,
    "local_shell_call": _local_shell,
    "local_shell_call_output": _output,
    "tool_search_call": _tool_search,
    "tool_search_output": _tools_found,
    "web_search_call": _web_search,
    "image_generation_call": _image,
}
"""Parts of the conversation with the model."""
ENDS: Mapping[str, Reader] = {
    "web_search_end": _web_search_ended,
    "WebSearch": _web_search_ended,
    **dict.fromkeys(("exec_command_end", "patch_apply_end", "mcp_tool_call_end"), _ended),
    **dict.fromkeys(("CommandExecution", "FileChange", "McpToolCall"), _ended),
}
"""What Codex told its terminal when a tool had ended."""
