"""Lines as Claude Code writes them, made up."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

SESSION = "0c0ffee0-0000-4000-8000-000000000001"
_numbers = itertools.count(1)


def line(kind: str, message: Any = None, **told: Any) -> dict[str, Any]:
    """Give a line with an id and a time of its own."""
    number = next(_numbers)
    common = {
        "type": kind,
        "uuid": f"{number:08x}-0000-4000-8000-000000000000",
        "timestamp": f"2026-11-16T10:{number // 60 % 60:02}:{number % 60:02}.000Z",
        "sessionId": SESSION,
        "cwd": "/home/me/shop",
        "gitBranch": "main",
        "version": "2.1.325",
    }
    return common | ({"message": message} if message is not None else {}) | told


def prompt(text: str, **told: Any) -> dict[str, Any]:
    return line("user", {"role": "user", "content": text}, **told)


def said(*blocks: dict[str, Any], name: str = "msg_1", output: int = 5, **told: Any) -> dict[str, Any]:
    usage = {
        "input_tokens": 10,
        "output_tokens": output,
        "cache_read_input_tokens": 1000,
        "cache_creation_input_tokens": 100,
    }
    message = {"id": name, "model": "claude-sonnet-4-5", "role": "assistant", "content": list(blocks), "usage": usage}
    return line("assistant", message, **told)


def words(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def call(name: str, tool: str = "Bash", **given: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": name, "name": tool, "input": given}


def result(name: str, text: Any, *, failed: bool = False, **told: Any) -> dict[str, Any]:
    block = {"type": "tool_result", "tool_use_id": name, "content": text} | ({"is_error": True} if failed else {})
    return line("user", {"role": "user", "content": [block]}, **told)


def write(path: Path, *lines: Any) -> Path:
    """Write a transcript; bytes are written as they are."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join((one if isinstance(one, bytes) else json.dumps(one).encode()) + b"\n" for one in lines))
    return path
