"""Lines as Copilot CLI writes them."""

from __future__ import annotations

import json
from itertools import count
from pathlib import Path
from typing import Any

from loopwright.ingest.copilot_session import Session
from loopwright.ingest.ports import About
from loopwright.records.event import Event

SESSION = "db0876fb-eb3d-49f2-91df-b708627932f9"
MODEL = "gpt-5.3-codex"
Line = dict[str, Any]

_numbers = count()


def line(kind: str, /, agent: str = "", **data: Any) -> Line:
    """Give a line, a second after the one before."""
    number = next(_numbers)
    at = f"2026-11-16T{number // 3600 % 24:02}:{number // 60 % 60:02}:{number % 60:02}.000Z"
    told = {"type": kind, "data": data, "id": f"event-{number}", "timestamp": at, "parentId": f"event-{number - 1}"}
    return {**told, "agentId": agent} if agent else told


def start(**more: Any) -> Line:
    """Give the first line."""
    context = {"cwd": "/home/me/shop", "branch": "main", "headCommit": "85acf25c"}
    told = {"sessionId": SESSION, "copilotVersion": "1.0.64", "selectedModel": MODEL, "context": context, **more}
    return line("session.start", **told)


def answer(text: str, *calls: Line, output: int = 0, agent: str = "", **more: Any) -> Line:
    """Give a message of the model."""
    told = {"content": text, "toolRequests": list(calls), "outputTokens": output, "model": MODEL, **more}
    return line("assistant.message", agent, messageId=f"m-{text}", **told)


def request(name: str, tool: str = "bash", **given: Any) -> Line:
    """Give a call as a message has it."""
    return {"toolCallId": name, "name": tool, "arguments": given, "type": "function"}


def begun(name: str, tool: str = "bash", *, agent: str = "", parent: str = "", **given: Any) -> Line:
    """Give the line that says that a call begins."""
    above = {"parentToolCallId": parent} if parent else {}
    return line("tool.execution_start", agent, toolCallId=name, toolName=tool, arguments=given, **above)


def done(name: str, text: str = "ok", **more: Any) -> Line:
    """Give the line that says that it has ended."""
    return line("tool.execution_complete", toolCallId=name, **{"success": True, "result": {"content": text}, **more})


def shutdown(read: int, wrote: int, cached: int = 0, model: str = MODEL) -> Line:
    """Give the last line of a process; what was cached is part of what was read."""
    usage = {"inputTokens": read, "outputTokens": wrote, "cacheReadTokens": cached, "cacheWriteTokens": 0}
    metrics = {model: {"requests": {"count": 1, "cost": 0}, "usage": usage}}
    return line("session.shutdown", shutdownType="routine", modelMetrics=metrics)


def told(*lines: Any, about: About | None = None) -> list[Event]:
    """Give the events of lines, all of which must be understood."""
    session, events = Session(about or About()), list[Event]()
    for one in lines:
        read = session.read(one)
        assert read is not None, one
        events += read
    return [*events, *session.rest()]


def write(path: Path, *lines: Any) -> Path:
    """Write a session; bytes stay as they are."""
    path.parent.mkdir(parents=True, exist_ok=True)
    written = [one if isinstance(one, bytes) else json.dumps(one).encode() for one in lines]
    path.write_bytes(b"\n".join(written) + b"\n")
    return path
