"""argv -> its output and its exit code; the lines that a report is made of are also kept in a file.

    listener REPORT go|go-quiet|cargo argv …

A check keeps only the head and the tail of what a command prints; here nothing is lost. It is started as a program of
its own, so it imports nothing of ours. Without an end of argv there is no REPORT.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import IO, Any

KEPT_LIMIT = 40_000_000
LINE_LIMIT = 1_000_000
DRAIN_S = 2.0
"""How long to read on after argv has ended, should something that it left behind hold the pipe."""

Hearing = Callable[[str], tuple[str, str]]
"""A line -> what of it is kept, and what is shown."""

_GO_NOISE = re.compile(r"\s*(=== (RUN|PAUSE|CONT|NAME)|--- (PASS|SKIP):) ")
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_CARGO = re.compile(r"\s+(Running|Doc-tests) |running \d+ tests?$|failures:$|error")


def hear_go(line: str) -> tuple[str, str]:
    """Keep an event unless it only quotes a test's output; show what it quotes."""
    event = _event(line)
    if event is None:
        return line, line
    said = event.get("Output")
    shown = said if isinstance(said, str) else ""
    is_news = "Test" not in event or "--- " in shown or shown.endswith("PASS\n")
    kept = event.get("Action") != "output" or is_news
    return (line if kept else ""), shown


def hear_go_quiet(line: str) -> tuple[str, str]:
    """Show what go would without `-v`, whose lines its events bring along."""
    kept, shown = hear_go(line)
    return kept, "" if _GO_NOISE.match(shown) else shown


def hear_cargo(line: str) -> tuple[str, str]:
    """Keep headers, tests and results."""
    plain = _COLOUR.sub("", line).rstrip("\r\n")
    is_test = "test " in plain and (" ... " in plain or "test result: " in plain)
    is_end = plain.endswith(("ok", "FAILED", "ignored"))
    return (plain if is_test or is_end or _CARGO.match(plain) else ""), line


HEARINGS: dict[str, Hearing] = {"go": hear_go, "go-quiet": hear_go_quiet, "cargo": hear_cargo}


class Ear:
    """Reads a stream to its end: shows it, and keeps lines as long as there is room."""

    def __init__(self, stream: IO[bytes], hear: Hearing) -> None:
        self._stream = stream
        self._hear = hear
        self._size = 0
        self.lines: list[str] = []

    @property
    def full(self) -> bool:
        return self._size > KEPT_LIMIT

    def listen(self) -> None:
        while line := self._stream.readline(LINE_LIMIT):
            kept, shown = self._hear(line.decode(errors="replace"))
            self._keep(kept.rstrip("\r\n"))
            sys.stdout.buffer.write(shown.encode(errors="replace"))
            sys.stdout.buffer.flush()

    def _keep(self, line: str) -> None:
        self._size += len(line)
        if line and not self.full:
            self.lines.append(line)


def run(report: str, kind: str, argv: list[str]) -> int:
    """Run argv to its end and leave the report."""
    # cargo's headers are on stderr and must stay in order with the tests; go's events must not be torn apart.
    stderr = subprocess.STDOUT if kind == "cargo" else None
    try:
        child = subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=stderr)
    except OSError as error:
        sys.stderr.write(f"{argv[0]}: {error}\n")
        return 127
    assert child.stdout is not None
    ear = Ear(child.stdout, HEARINGS[kind])
    reader = threading.Thread(target=ear.listen, daemon=True)
    reader.start()
    code = child.wait()
    reader.join(DRAIN_S)
    code = code if code >= 0 else 128 - code
    if not ear.full:
        _write(report, {"exit_code": code, "lines": list(ear.lines)})
    return code


def _write(report: str, content: dict[str, Any]) -> None:
    part = f"{report}.part"
    with open(part, "w", encoding="utf-8") as file:  # noqa: PTH123 - pathlib would add to the start of every run
        json.dump(content, file)
    os.replace(part, report)  # noqa: PTH105 - the same


def _event(line: str) -> dict[str, Any] | None:
    try:
        found = json.loads(line) if line.startswith("{") else None
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


if __name__ == "__main__":
    code = run(sys.argv[1], sys.argv[2], sys.argv[3:])
    sys.stdout.flush()
    # Not sys.exit: the reader may still wait for a pipe that somebody else holds.
    os._exit(code)
