"""Spans as OTLP's JSON has them, for tests."""

from __future__ import annotations

import json
from typing import Any

T0 = 1_790_000_000
TRACE = "0af7651916cd43dd8448eb211c80319c"


def value(told: Any) -> dict[str, Any]:
    if isinstance(told, bool):
        return {"boolValue": told}
    if isinstance(told, int):
        return {"intValue": str(told)}
    if isinstance(told, float):
        return {"doubleValue": told}
    if isinstance(told, list):
        return {"arrayValue": {"values": [value(one) for one in told]}}
    if isinstance(told, dict):
        return {"kvlistValue": {"values": attributes(told)}}
    return {"stringValue": told}


def attributes(told: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"key": key, "value": value(one)} for key, one in told.items()]


def span(
    number: int,
    name: str,
    begin: float,
    end: float,
    parent: int = 0,
    trace: str = TRACE,
    error: str = "",
    events: list[tuple[str, dict[str, Any]]] | None = None,
    **told: Any,
) -> dict[str, Any]:
    """Make a span; in the names of attributes, `__` stands for a dot."""
    return {
        "traceId": trace,
        "spanId": f"{number:016x}",
        "parentSpanId": f"{parent:016x}" if parent else "",
        "name": name,
        "startTimeUnixNano": str(int((T0 + begin) * 1e9)),
        "endTimeUnixNano": str(int((T0 + end) * 1e9)),
        "attributes": attributes({key.replace("__", "."): one for key, one in told.items()}),
        "events": [{"name": title, "attributes": attributes(one)} for title, one in events or []],
        "status": {"code": 2, "message": error} if error else {},
    }


def request(*spans: dict[str, Any], **resource: Any) -> dict[str, Any]:
    told = {key.replace("__", "."): one for key, one in resource.items()}
    return {"resourceSpans": [{"resource": {"attributes": attributes(told)}, "scopeSpans": [{"spans": list(spans)}]}]}


def text(role: str, content: str) -> dict[str, Any]:
    return {"role": role, "parts": [{"type": "text", "content": content}]}


def asked(name: str, tool: str, given: dict[str, Any]) -> dict[str, Any]:
    return {"role": "assistant", "parts": [{"type": "tool_call", "id": name, "name": tool, "arguments": given}]}


def answered(name: str, words: str) -> dict[str, Any]:
    return {"role": "tool", "parts": [{"type": "tool_call_response", "id": name, "response": words}]}


def agent_at_work(trace: str = TRACE, conversation: str = "chat-1", prefix: str = "") -> list[dict[str, Any]]:
    """An agent asks a model, runs a tool, and asks again, by the GenAI conventions."""
    first = [text("system", "You fix bugs."), text("user", "Fix the login")]
    call = asked(f"{prefix}call_1", "bash", {"command": "pytest -q"})
    second = [*first, call, answered(f"{prefix}call_1", "1 failed")]
    usage = {"gen_ai__usage__output_tokens": 20, "gen_ai__usage__cache_read__input_tokens": 30}
    model = {"gen_ai__operation__name": "chat", "gen_ai__response__model": "claude-sonnet-4-5", **usage}
    named = {"gen_ai__conversation__id": conversation} if conversation else {}
    return [
        span(
            *(1, "invoke_agent fixer", 0, 9),
            trace=trace,
            gen_ai__operation__name="invoke_agent",
            gen_ai__agent__name="fixer",
            gen_ai__usage__input_tokens=300,
            gen_ai__usage__output_tokens=40,
            prompt_version=7,
            task_type="bug_fix",
            **named,
        ),
        span(
            *(2, "chat", 1, 2, 1),
            trace=trace,
            gen_ai__response__id=f"{prefix}r1",
            gen_ai__usage__input_tokens=100,
            gen_ai__input__messages=json.dumps(first),
            gen_ai__output__messages=json.dumps([call]),
            **model,
        ),
        span(
            *(3, "execute_tool bash", 2.5, 4, 1),
            trace=trace,
            error="exit 1",
            gen_ai__operation__name="execute_tool",
            gen_ai__tool__name="bash",
            gen_ai__tool__call__id=f"{prefix}call_1",
            gen_ai__tool__call__arguments='{"command": "pytest -q"}',
            gen_ai__tool__call__result="1 failed",
        ),
        span(
            *(4, "chat", 5, 8, 1),
            trace=trace,
            gen_ai__response__id=f"{prefix}r2",
            gen_ai__usage__input_tokens=200,
            gen_ai__input__messages=json.dumps(second),
            gen_ai__output__messages=json.dumps([text("assistant", "It is fixed.")]),
            **model,
        ),
    ]
