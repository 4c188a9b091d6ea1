"""Sessions of Claude Code that nobody had, for tests and for the pictures in the docs."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from loopwright.records.identity import timestamp

DAY = 86_400.0
START = 1_790_000_000.0
REJECTED = "The user doesn't want to proceed with this tool use. The tool use was rejected."


@dataclass(frozen=True)
class Call:
    """One call of a tool."""

    tool: str = "Bash"
    input: dict[str, Any] = field(default_factory=lambda: {"command": "make test"})
    is_error: bool = False
    seconds: float = 2.0
    result: str = "done"


@dataclass(frozen=True)
class MadeUp:
    """One session: a goal, then calls, each with a message of the model that uses some tokens."""

    session_id: str
    goal: str = "Fix the login"
    project: str = "/home/ada/shop"
    model: str = "claude-opus-4-6"
    start: float = START
    calls: Sequence[Call] = (Call(),)
    usage: tuple[int, int, int, int] = (10, 200, 20_000, 1_000)
    """Tokens in, out, read from a cache, written to it: of each message."""
    interrupts: int = 0

    def write(self, folder: Path) -> Path:
        """Write it as Claude Code does; the folder is made."""
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{self.session_id}.jsonl"
        path.write_text("".join(f"{json.dumps(line)}\n" for line in self.lines()), encoding="utf-8")
        return path

    def lines(self) -> list[dict[str, Any]]:
        """Give its lines."""
        now, lines = self.start, [self._line("user", 0, self.start, {"role": "user", "content": self.goal})]
        for number, call in enumerate(self.calls, start=1):
            now += 8.0
            lines.append(self._line("assistant", number, now, self._message(number, call)))
            now += call.seconds
            result = {"type": "tool_result", "tool_use_id": self._call_id(number), "content": call.result}
            content = [{**result, "is_error": call.is_error}]
            lines.append(self._line("user", -number, now, {"role": "user", "content": content}))
        for number in range(self.interrupts):
            content = [{"type": "text", "text": "[Request interrupted by user]"}]
            lines.append(self._line("user", 100_000 + number, now + number, {"role": "user", "content": content}))
        return lines

    def _line(self, kind: str, number: int, at: float, message: dict[str, Any]) -> dict[str, Any]:
        return {
            "type": kind,
            "uuid": f"{self.session_id}/{number}",
            "sessionId": self.session_id,
            "timestamp": timestamp(at),
            "cwd": self.project,
            "version": "2.1.0",
            "message": message,
        }

    def _message(self, number: int, call: Call) -> dict[str, Any]:
        names = ("input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
        return {
            "id": f"msg {self.session_id} {number}",
            "role": "assistant",
            "model": self.model,
            "content": [{"type": "tool_use", "id": self._call_id(number), "name": call.tool, "input": call.input}],
            "usage": dict(zip(names, self.usage, strict=True)),
        }

    def _call_id(self, number: int) -> str:
        return f"call {self.session_id} {number}"


GOALS = (
    "Fix the discount: it is a percentage of the price",
    "Why does the checkout fail on Safari?",
    "Add a dark theme to the settings page",
    "Move the queue from Redis to PostgreSQL",
    "The nightly build is red since Tuesday, find out why",
    "Write tests for the parser of invoices",
    "Upgrade to Python 3.13 and mend what breaks",
    "Review my branch and say what worries you",
    "Make the search tolerate typing errors",
    "Cache the exchange rates for an hour",
)
PROJECTS = ("shop", "shop", "shop", "invoices", "invoices", "website", "infra")
MODELS = (*["claude-opus-4-6"] * 4, *["claude-sonnet-4-5-20250929"] * 3, "claude-haiku-4-5-20251001")
TOOLS = (*["Bash"] * 6, *["Read"] * 8, *["Edit"] * 5, *["Grep"] * 4, "Glob", "Write", "TodoWrite", "Task", "WebFetch")
SECONDS = {"Bash": 25.0, "Edit": 9.0, "Task": 120.0, "WebFetch": 4.0, "Write": 6.0}
FILES = ("src/cart.py", "src/prices.py", "src/checkout/session.py", "tests/test_prices.py", "config/settings.toml")


def world(count: int = 64, seed: int = 7) -> list[MadeUp]:
    """Make up the sessions of two months; one is far dearer than the others, and one has no price."""
    chance = random.Random(seed)
    found = [_session(chance, number) for number in range(count)]
    dear = _session(chance, count, calls=170, goal="Rewrite the whole front end in one go")
    local = _session(chance, count + 1, calls=30, model="our-own-model", goal="Try the model in the basement")
    return [*found, dear, local]


def _session(chance: random.Random, number: int, calls: int = 0, model: str = "", goal: str = "") -> MadeUp:
    project = f"/home/ada/code/{chance.choice(PROJECTS)}"
    many = calls or max(3, int(chance.lognormvariate(3.0, 0.6)))
    size = int(chance.lognormvariate(10.6, 0.4))
    return MadeUp(
        f"{number:08x}-0000-4000-8000-{chance.getrandbits(48):012x}",
        goal or chance.choice(GOALS),
        project,
        model or chance.choice(MODELS),
        START + int(chance.random() ** 0.7 * 58) * DAY + chance.randrange(8 * 3600, 18 * 3600),
        [_call(chance, project) for _ in range(many)],
        (chance.randrange(3, 40), chance.randrange(80, 900), size, size // 20),
        interrupts=chance.choice((0, 0, 0, 0, 0, 1, 2)),
    )


def _call(chance: random.Random, project: str) -> Call:
    tool = chance.choice(TOOLS)
    is_error = chance.random() < {"Bash": 0.11, "Edit": 0.06, "WebFetch": 0.2}.get(tool, 0.01)
    if tool in ("Edit", "Write") and chance.random() < 0.02:
        return Call(tool, {"file_path": f"{project}/{FILES[0]}"}, True, 20.0, REJECTED)
    given = {"command": "make test"} if tool == "Bash" else {"file_path": f"{project}/{chance.choice(FILES)}"}
    seconds = chance.expovariate(1 / SECONDS.get(tool, 0.3))
    return Call(tool, given, is_error, seconds, "it failed" if is_error else "done")
