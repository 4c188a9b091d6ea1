"""A file of any size -> its lines, each of a size that can be parsed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import BinaryIO

from loopwright.text.halves import beginning

BOM = b"\xef\xbb\xbf"
"""What some programs put at the beginning of a file to say that it is UTF-8."""
LONGEST = 10_000_000
"""A longer line is given cut: to parse it could take gigabytes of memory."""
_MOST_HELD = 64_000_000
_LONG = 1_000_000
_BUFFER = 1 << 20  # with a small one, reading takes four times as long
_BINARY = re.compile(rb'"[A-Za-z0-9+/=_-]{10000,}"')
"""An image or a document in base64, as a whole value of JSON."""
_NUMBERS = re.compile(rb"\[[0-9eE.,+\s-]{1000,}+\]")
"""The ids of tokens, their probabilities, a vector."""
_MOST_MARKS = 1_000_000
"""Each value of JSON comes after one; parsed, and told of as an event, it may take 500 bytes."""
_CUT = 100_000


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
        file.seek(len(BOM) if file.read(len(BOM)) == BOM else 0)
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
    line = thinned(_beginning(_BINARY.sub(b'"[binary]"', line), LONGEST))
    return _beginning(line, _CUT) if is_dense(line) else line


def _beginning(line: bytes, limit: int) -> bytes:
    return beginning(line.decode("latin-1"), limit).encode("latin-1") if len(line) > limit else line


def thinned(raw: bytes) -> bytes:
    """Leave long lists of numbers out of JSON that has very many values."""
    return _NUMBERS.sub(b"[]", raw) if _marks(raw) > _MOST_MARKS else raw


def is_dense(raw: bytes) -> bool:
    """Say whether JSON has so many values that it would take gigabytes of memory to parse it and to tell of them."""
    if _marks(raw) <= _MOST_MARKS:
        return False
    raw = raw.replace(rb"\\", b"").replace(rb"\"", b"")  # what is left of quotes are the ends of texts
    marks, is_text = 0, False
    for place in range(0, len(raw), _LONG):
        parts = raw[place : place + _LONG].split(b'"')
        marks += _marks(b"".join(parts[is_text::2]))
        is_text ^= len(parts) % 2 == 0
    return marks > _MOST_MARKS


def _marks(raw: bytes) -> int:
    return sum(map(raw.count, (b"{", b"[", b",", b":")))
