"""Open files that every child of ours inherits: a lock on one is free only when we and all that we started are gone."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

_NUMBERS: list[int] = []
_LOCK = threading.Lock()


@contextmanager
def inherited(file: IO[Any]) -> Iterator[None]:
    """Let whatever is started in this block, by any thread, hold the file open for as long as it lives."""
    number = file.fileno()
    with _LOCK:
        _NUMBERS.append(number)
    try:
        yield
    finally:
        with _LOCK:
            _NUMBERS.remove(number)


@contextmanager
def copies() -> Iterator[tuple[int, ...]]:
    """Give the files for one start: as copies, since another thread may close its own in the middle of it."""
    with _LOCK:
        numbers = [os.dup(number) for number in _NUMBERS]
    try:
        yield tuple(numbers)
    finally:
        for number in numbers:
            os.close(number)
