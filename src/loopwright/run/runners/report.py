"""A report that the tested code could have written to -> plain data, or nothing; never an exception."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from loopwright.text.bounded import bounded, parse

LIMIT = 50_000_000
_NAME_LIMIT = 1000
_TROUBLE_LIMIT = 5000


def read_json(path: Path) -> Any:
    """Read a report; None where there is none, where it is too long, and where it is no JSON."""
    content = read_bytes(path)
    try:
        return None if content is None else parse(content.decode())
    except ValueError:
        return None


def test_name(text: str) -> str:
    """Give the name of a test as any store can hold it."""
    return bounded(text, _NAME_LIMIT)


class Names:
    """Gives each name once: itself, and with the next number where it is taken."""

    def __init__(self) -> None:
        self._given: set[str] = set()
        self._numbers: dict[str, int] = {}

    def give(self, name: str) -> str:
        # Counted and not searched: somebody may have given a million tests one name.
        given, number = name, self._numbers.get(name, 1)
        while given in self._given:
            number += 1
            given = f"{name} #{number}"
        self._numbers[name] = number
        self._given.add(given)
        return given


def trouble(parts: Iterable[str]) -> str:
    """Put together what went wrong, each once."""
    return bounded("\n".join(dict.fromkeys(parts)), _TROUBLE_LIMIT)


def read_bytes(path: Path) -> bytes | None:
    """Read a file that is one, and not too long; None where it is not."""
    try:
        # Neither a link is followed nor a pipe waited at: the tested code may have put anything there.
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return None
    try:
        status = os.fstat(descriptor)
        is_fine = stat.S_ISREG(status.st_mode) and status.st_size <= LIMIT
        return _read(descriptor, status.st_size) if is_fine else None
    except OSError:
        return None
    finally:
        os.close(descriptor)


def _read(descriptor: int, size: int) -> bytes:
    chunks = list[bytes]()
    while size > 0 and (chunk := os.read(descriptor, size)):
        chunks.append(chunk)
        size -= len(chunk)
    return b"".join(chunks)
