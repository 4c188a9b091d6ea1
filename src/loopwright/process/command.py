"""argv -> CommandResult: a program run to its end, its output kept in part."""

from __future__ import annotations

import hashlib
import threading
import uuid
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

from loopwright.process.child import Child
from loopwright.process.limits import Limits
from loopwright.process.lines import decode
from loopwright.process.starting import Mount
from loopwright.records.command import CommandResult

GRACE_S = 2.0
MARK = "LOOPWRIGHT_COMMAND"
"""A variable that is another for every command: who got away from its shim is found by it."""


class Sieve(Protocol):
    """What is done to output before anything of it is kept."""

    def feed(self, chunk: bytes) -> bytes: ...

    def close(self) -> bytes:
        """Give what was held back."""
        ...


class Excerpt:
    """The head and the tail of a stream, and a hash over all of it."""

    def __init__(self, keep: int) -> None:
        self._head_size = keep // 2
        self._tail_size = keep - self._head_size
        self._head = bytearray()
        self._tail = bytearray()
        self._hash = hashlib.sha256()
        self._cut = 0

    def add(self, chunk: bytes) -> None:
        self._hash.update(chunk)
        room = self._head_size - len(self._head)
        self._head += chunk[:room]
        self._tail += chunk[room:]
        # Not at each chunk: moving the tail to the front each time would be quadratic.
        if len(self._tail) > 2 * self._tail_size:
            self._trim()

    def text(self) -> str:
        self._trim()
        if not self._cut:
            return decode(self._head + self._tail)
        return f"{decode(self._head)}\n[… {self._cut} bytes cut …]\n{decode(self._tail)}"

    def hash(self) -> str:
        return self._hash.hexdigest()

    def _trim(self) -> None:
        surplus = max(0, len(self._tail) - self._tail_size)
        del self._tail[:surplus]
        self._cut += surplus


def run_command(
    argv: Sequence[str],
    *,
    cwd: Path,
    env: Mapping[str, str],
    timeout_s: float,
    cancel: threading.Event | None = None,
    keep: int = 200_000,
    mount: Mount | None = None,
    limits: Limits = Limits(),
    sieve: Sieve | None = None,
) -> CommandResult:
    """Run a program with nothing on its stdin and keep `keep` bytes of what it prints, as `sieve` lets it through."""
    excerpt, env = Excerpt(keep), {**env, MARK: uuid.uuid4().hex}
    with Child(argv, cwd=cwd, env=env, grace_s=GRACE_S, merge=True, mount=mount, limits=limits, mark=MARK) as child:
        for _, chunk in child.chunks(wall_s=timeout_s, cancel=cancel):
            excerpt.add(sieve.feed(chunk) if sieve else chunk)
    if sieve:
        excerpt.add(sieve.close())
    return CommandResult(
        exit_code=child.end.exit_code,
        output=excerpt.text(),
        output_hash=excerpt.hash(),
        duration_s=child.end.duration_s,
        timed_out=child.end.cause == "wall",
        missing=child.end.missing,
        over_limit=limits.words(child.end.cause),
    )
