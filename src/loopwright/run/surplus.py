"""Lines that say little -> the first of them, the last of them, and a count of those between."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

FIRST, FIRST_SIZE = 20_000, 20_000_000
"""So many lines, or bytes in them, are given as they come."""
KNOWN, KNOWN_A_SECOND = 100_000, 1_000
"""So many lines that are known, and as many more for each second: more than any agent says that does not babble."""
LAST_SIZE = 40_000
LAST = 200
"""And of the last ones so many, as far as they fit in here; or one."""


class Surplus:
    """Decides on lines. A program that prints without end must fill neither the store nor our memory."""

    def __init__(
        self,
        first: int = FIRST,
        first_size: int = FIRST_SIZE,
        last_size: int = LAST_SIZE,
        known: int = KNOWN,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._first, self._first_size, self._last_size, self._known = first, first_size, last_size, known
        self._said, self._clock, self._began = 0, clock, clock()
        self._held: list[bytes] = []
        self.lines = self.size = 0
        """What is held back or was left out; a line's end counts as one byte."""

    def sift(self, lines: Sequence[bytes], knows: Callable[[bytes], bool]) -> list[bytes]:
        """Give the lines that are known, and others, as long as there is room for each; the rest is held back."""
        allowed = self._known + KNOWN_A_SECOND * (self._clock() - self._began)
        return self._sift(lines, knows if self._said < allowed else _nothing)

    def _sift(self, lines: Sequence[bytes], knows: Callable[[bytes], bool]) -> list[bytes]:
        if self._first > 0 and self._first_size > 0:
            return self._first_of(lines, knows)
        # All at once, and one by one only where there is something to find: there may be millions of lines.
        known = [line for line in lines if knows(line)] if knows(b"\n".join(lines)) else []
        self._said += len(known)
        self._hold([line for line in lines if not knows(line)] if known else lines)
        return known

    def last(self) -> list[bytes]:
        """Give the last lines, at the end."""
        last, self._held = self._held, []
        self._count(last, -1)
        return last

    def _first_of(self, lines: Sequence[bytes], knows: Callable[[bytes], bool]) -> list[bytes]:
        given: list[bytes] = []
        for number, line in enumerate(lines):
            if not knows(line):
                if self._first <= 0 or self._first_size <= 0:
                    return [*given, *self._sift(lines[number:], knows)]
                self._first -= 1
                self._first_size -= len(line)
            else:
                self._said += 1
            given.append(line)
        return given

    def _hold(self, lines: Sequence[bytes]) -> None:
        self._count(lines, 1)
        held, size = [*self._held, *lines[-LAST:]][-LAST:], 0
        for kept, line in enumerate(reversed(held)):
            size += len(line) + 1
            if size > self._last_size and kept:
                held = held[len(held) - kept :]
                break
        self._held = held

    def _count(self, lines: Sequence[bytes], sign: int) -> None:
        self.lines += sign * len(lines)
        self.size += sign * (sum(map(len, lines)) + len(lines))


def _nothing(line: bytes) -> bool:
    return False
