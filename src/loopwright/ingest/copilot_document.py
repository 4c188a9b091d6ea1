"""A session of Copilot CLI's first versions, one document -> the lines that later versions would have written."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import orjson

from loopwright.text.bounded import Line, items, mapping

_SAID = {"user": "user.message", "copilot": "assistant.message", "info": "session.info", "error": "session.error"}
_ROLES = {"user": "user.message", "assistant": "assistant.message", "system": "system.message"}
_REFUSED = frozenset({"rejected", "denied"})


def lines_in(document: object) -> Iterator[Any]:
    """Give the lines; from the time line where there is one, else from the messages, which have no times."""
    told = mapping(document)
    yield {
        "type": "session.start",
        "timestamp": told.get("startTime"),
        "data": {"sessionId": told.get("sessionId"), "selectedModel": told.get("selectedModel")},
    }
    if entries := items(told.get("timeline")):
        for entry in entries:
            yield from _entry(entry)
    else:
        yield from map(_message, items(told.get("chatMessages")))


def _entry(entry: object) -> Iterator[Any]:
    told = mapping(entry)
    kind, at = told.get("type"), told.get("timestamp")
    if isinstance(kind, str) and kind in _SAID:
        text = told.get("text")
        yield {"type": _SAID[kind], "timestamp": at, "data": {"content": text, "message": text}}
    elif isinstance(kind, str) and kind.startswith("tool_call_"):
        name = told.get("callId") or told.get("id")
        tool = told.get("name") or told.get("toolTitle")
        given = {"toolCallId": name, "toolName": tool, "arguments": told.get("arguments")}
        yield {"type": "tool.execution_start", "timestamp": at, "data": given}
        if "result" in told:
            yield {"type": "tool.execution_complete", "timestamp": at, "data": _result(name, mapping(told["result"]))}
    else:
        yield entry


def _result(name: object, result: Line) -> Line:
    kind, text = result.get("type"), result.get("log") or result.get("content")
    if kind in _REFUSED or kind == "failure":
        return {"toolCallId": name, "success": False, "error": {"message": text, "code": kind}}
    return {"toolCallId": name, "success": True, "result": {"content": text}}


def _message(message: object) -> Any:
    told = mapping(message)
    role, content = told.get("role"), told.get("content")
    if role == "tool":
        done = {"toolCallId": told.get("tool_call_id"), "success": True, "result": {"content": content}}
        return {"type": "tool.execution_complete", "data": done}
    if not isinstance(role, str) or role not in _ROLES:
        return message
    asked = [_call(mapping(call)) for call in items(told.get("tool_calls"))]
    return {"type": _ROLES[role], "data": {"content": content, "toolRequests": asked}}


def _call(call: Line) -> Line:
    function = mapping(call.get("function"))
    given = function.get("arguments")
    try:
        given = orjson.loads(given) if isinstance(given, str) else given
    except ValueError:
        given = {"input": given}
    return {"toolCallId": call.get("id"), "name": function.get("name"), "arguments": given}
