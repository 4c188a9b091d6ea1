"""Cursor's tool_call and assistant lines -> what they say, for whoever reads its stream."""

from __future__ import annotations

from collections.abc import Mapping

from loopwright.records.budget import Usage
from loopwright.text.amounts import count, exit_code
from loopwright.text.bounded import TEXT_LIMIT, Line, field, mapping, parse

_DENIALS = ("rejected", "permissionDenied", "denied")
_FAILURES = ("error", "failure", *_DENIALS)


def tool_of(line: Line) -> tuple[str, Line, Line] | None:
    """Give a call's tool, its arguments and its result, empty before it has ended; None where there is no call."""
    for key, told in mapping(line.get("tool_call")).items():
        if not isinstance(told, Mapping):
            continue
        if key == "function":
            return field(told.get("name"), 200) or "function", _arguments(told.get("arguments")), _result(line, told)
        if key.endswith("ToolCall") and len(key) > len("ToolCall"):
            return key.removesuffix("ToolCall"), mapping(told.get("args")), _result(line, told)
    return None


def result_of(result: Line) -> tuple[str, str, int | None]:
    """Give what became of a call (`ok`, `error` or `denied`), its text, and the exit code where it has one."""
    kind = next((key for key in (*_FAILURES, "success") if key in result), "")
    told = mapping(result.get(kind))
    code = exit_code(next((told[name] for name in ("exitCode", "exit_code") if name in told), None))
    state = "denied" if kind in _DENIALS else "error" if kind in _FAILURES or code else "ok"
    return state, _words(told) or field(result.get(kind), TEXT_LIMIT), code


def said_in(line: Line) -> str | None:
    """Give the text of an assistant line; None where it has none."""
    content = mapping(line.get("message")).get("content")
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    texts = [mapping(part).get("text") for part in parts]
    return "".join(text for text in texts if isinstance(text, str)) if parts else None


def usage_of(value: object) -> Usage:
    """Read its count, in which no token is counted twice."""
    told = mapping(value)
    names = ("inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens")
    return Usage(*(count(told.get(name)) for name in names))


def _result(line: Line, told: Line) -> Line:
    return mapping(told.get("result") or line.get("result"))


def _arguments(value: object) -> Line:
    if not isinstance(value, str):
        return mapping(value)
    try:
        return mapping(parse(value))
    except ValueError:
        return {"arguments": field(value)}


def _words(told: Line) -> str:
    printed = [field(told.get(name), TEXT_LIMIT) for name in ("stdout", "stderr")]
    names = ("content", "errorMessage", "error", "message", "reason", "diffString")
    said = next((field(told.get(name), TEXT_LIMIT) for name in names if field(told.get(name))), "")
    return "\n".join(filter(None, printed)) or said
