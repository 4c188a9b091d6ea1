"""Lines as Codex writes them into its rollouts."""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import count
from pathlib import Path
from typing import Any

from loopwright.ingest.codex_thread import Thread
from loopwright.ingest.ports import About
from loopwright.ingest.seen import Seen
from loopwright.records.event import Event, EventKind

SESSION = "019ed50c-2fb3-7002-a384-360bea6e7f04"
Line = dict[str, Any]

_seconds = count()


def line(kind: str, /, **payload: Any) -> Line:
    """Give a line, a second after the one before."""
    second = next(_seconds)
    at = f"2026-11-16T{second // 3600 % 24:02}:{second // 60 % 60:02}:{second % 60:02}.000Z"
    return {"timestamp": at, "type": kind, "payload": payload}


def meta(name: str = SESSION, **more: Any) -> Line:
    """Give the first line of a rollout."""
    git = {"commit_hash": "4e480f90", "branch": "main"}
    return line("session_meta", id=name, cwd="/home/me/shop", cli_version="0.140.0", source="cli", git=git, **more)


def item(kind: str, /, **told: Any) -> Line:
    """Give a part of the conversation with the model."""
    return line("response_item", type=kind, **told)


def news(kind: str, /, **told: Any) -> Line:
    """Give what Codex told its terminal."""
    return line("event_msg", type=kind, **told)


def said(role: str, *texts: str, **more: Any) -> Line:
    """Give a message."""
    return item("message", role=role, content=[{"type": "input_text", "text": text} for text in texts], **more)


def call(name: str, command: str) -> Line:
    """Give a call of the shell."""
    return item("function_call", name="exec_command", call_id=name, arguments=json.dumps({"cmd": command}))


def output(name: str, text: Any) -> Line:
    """Give the result of a call."""
    return item("function_call_output", call_id=name, output=text)


def exited(code: int, text: str = "") -> str:
    """Give what the model is told of a command that has ended."""
    return f"Chunk ID: a696c4\nWall time: 0.5 seconds\nProcess exited with code {code}\nOutput:\n{text}"


def turn(model: str = "gpt-5.5") -> Line:
    """Give the line that says which model answers."""
    return line("turn_context", cwd="/home/me/shop", model=model)


def usage(read: int, wrote: int, cached: int = 0) -> Line:
    """Give a count as Codex counts: what was cached is part of what was read."""
    return {"input_tokens": read, "cached_input_tokens": cached, "output_tokens": wrote, "total_tokens": read + wrote}


def spent(total: Line, last: Line | None = None) -> Line:
    """Give a line about tokens."""
    return news("token_count", info={"total_token_usage": total, "last_token_usage": last or total})


def told(*lines: Any, about: About | None = None) -> list[Event]:
    """Give the events of the lines of one thread, all of which must be understood."""
    thread = Thread(about or About(), Seen())
    events: list[Event] = []
    for one in lines:
        read = thread.read(one)
        assert read is not None, one
        events += read
    return events


def of_kind(events: Iterable[Event], kind: EventKind) -> list[Event]:
    """Give the events of a kind."""
    return [event for event in events if event.kind is kind]


def texts(events: Iterable[Event], kind: EventKind) -> list[str]:
    """Give what the events of a kind say."""
    return [event.text for event in of_kind(events, kind)]


def tokens(events: Iterable[Event]) -> list[int]:
    """Give the sum of tokens in, out and read from the cache."""
    used = of_kind(events, EventKind.USAGE)
    return [sum(event.data[name] for event in used) for name in ("input", "output", "cache_read")]


def write(path: Path, *lines: Any) -> Path:
    """Write a rollout; bytes stay as they are."""
    path.parent.mkdir(parents=True, exist_ok=True)
    written = [one if isinstance(one, bytes) else json.dumps(one).encode() for one in lines]
    path.write_bytes(b"\n".join(written) + b"\n")
    return path
