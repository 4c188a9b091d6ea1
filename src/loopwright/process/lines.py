"""Chunks of bytes -> lines, in bounded memory and linear time; a line -> text."""

from __future__ import annotations


class Lines:
    """Puts lines together. One that is longer than `limit` bytes is cut there, and the rest of it skipped."""

    def __init__(self, limit: int = 4_000_000) -> None:
        self._limit = limit
        self._held = bytearray()
        self.cut = 0
        """How many bytes were skipped so far."""

    def feed(self, chunk: bytes) -> list[bytes]:
        """Give the lines that are complete with this chunk, without the newline."""
        first = chunk.find(b"\n")
        if first < 0:
            self._hold(chunk)
            return []
        last = chunk.rfind(b"\n")
        self._hold(chunk[:first])
        lines = [self._take(), *self._whole(chunk[first + 1 : last + 1])]
        self._hold(chunk[last + 1 :])
        return lines

    def rest(self) -> list[bytes]:
        """Give the last line, where no newline ended it."""
        return [self._take()] if self._held else []

    def _hold(self, part: bytes) -> None:
        room = self._limit - len(self._held)
        self._held += part[:room]
        self.cut += max(0, len(part) - room)

    def _take(self) -> bytes:
        line = bytes(self._held)
        self._held.clear()
        return line

    def _whole(self, block: bytes) -> list[bytes]:
        lines = block.split(b"\n")[:-1]
        if len(block) <= self._limit:
            return lines
        self.cut += sum(max(0, len(line) - self._limit) for line in lines)
        return [line[: self._limit] for line in lines]


def text(line: bytes) -> str:
    """Decode a line, without the carriage return that may be its end."""
    return decode(line.removesuffix(b"\r"))


def decode(data: bytes | bytearray) -> str:
    """Decode what a program printed; what is no text becomes U+FFFD."""
    return data.decode(errors="replace").replace("\0", "\ufffd")
