"""A file of any size -> its lines, each of a size that can be parsed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import BinaryIO

LONGEST = 10_000_000
"""A longer line is given cut: to parse it could take gigabytes of memory."""
_MOST_HELD = 64_000_000
_LONG = 1_000_000
_BUFFER = 1 << 20  # with a small one, reading takes four times as long
_BINARY = re.compile(rb'"[A-Za-z0-9+/=_-]{10000,}"')
"""An image or a document in base64, as a whole value of JSON."""


_WATCHING: ContextVar[Callable[[int], None] | None] = ContextVar("watching", default=None)


@contextmanager
def watched(told: Callable[[int], None]) -> Iterator[None]:
    """Let somebody hear, meanwhile, how many more bytes of files were read."""
    before = _WATCHING.set(told)
    try:
        yield
    finally:
        _WATCHING.reset(before)


def lines_of(path: Path) -> Iterator[bytes]:
    """Give the lines of a file. Of long ones images are left out, and what is still too long is cut."""
    told, read = _WATCHING.get(), 0
    with path.open("rb", buffering=_BUFFER) as file:
        while line := file.readline(_MOST_HELD):
            read += len(line)
            if read > _BUFFER and told is not None:
                told(read)
                read = 0
            yield line if len(line) < _LONG else _shortened(line, file)


def _shortened(line: bytes, file: BinaryIO) -> bytes:
    rest = line
    while rest and not rest.endswith(b"\n"):  # what is longer than anybody holds is passed over
        rest = file.readline(_LONG)
    return _BINARY.sub(b'"[binary]"', line)[:LONGEST]
