"""Lines of Cursor's transcripts and streams, made up from what is public of them, for tests."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from loopwright.ingest.formats.cursor import Cursor
from loopwright.records.event import Event
from observing import read, written

AT = 1794806362
INIT = {
    "type": "system",
    "subtype": "init",
    "session_id": "chat-1",
    "model": "gpt-5.5",
    "cwd": "/a",
    "apiKeySource": "env",
}
TEXT = """user:
<open_files>
a.py
</open_files>
<user_query>
Fix it. A line of mine says
assistant:
and goes on.
</user_query>

assistant:
[Thinking] I look first.

I run the tests.
[Tool call] Shell
  command: make test
  description: run them

[Tool result] Shell
1 failed

in a.py
[Tool call] Read
  path: a.py

assistant:
It is fixed.
"""


def says(role: str, *blocks: object) -> dict[str, Any]:
    return {"role": role, "message": {"content": list(blocks)}}


def words(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def used(tool: str, **told: Any) -> dict[str, Any]:
    return {"type": "tool_use", "name": tool, "input": told}


def heard(text: str, **told: Any) -> dict[str, Any]:
    return {"type": "assistant", "message": {"content": [words(text)]}, **told}


def call(subtype: str, at: int, **told: Any) -> dict[str, Any]:
    return {"type": "tool_call", "subtype": subtype, "call_id": "c1", "timestamp_ms": AT * 1000 + at, "tool_call": told}


def read_in(folder: Path, *lines: object) -> list[Event]:
    return read(Cursor(), written(folder / "chat.jsonl", *lines))[0]


def transcript(folder: Path, name: str, *lines: object) -> Path:
    path = written(folder / "projects" / "home-dev-app" / "agent-transcripts" / name, *lines)
    os.utime(path, (AT, AT))
    return path
