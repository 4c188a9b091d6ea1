"""Chunks of bytes -> lines of text, in bounded memory and linear time."""

from __future__ import annotations


class Lines:
    """Puts lines together. One that is longer than `limit` bytes is cut there, and the rest of it skipped."""

    def __init__(self, limit: int = 4_000_000) -> None:
        self._limit = limit
        self._held = bytearray()
        self.cut = 0
        """How many bytes were skipped so far."""

    def feed(self, chunk: bytes) -> list[str]:
        """Give the lines that are complete with this chunk, without their ends."""
        first = chunk.find(b"\n")
        if first < 0:
            self._hold(chunk)
            return []
        last = chunk.rfind(b"\n")
        self._hold(chunk[:first])
        lines = [self._take().removesuffix("\r"), *self._whole(chunk[first + 1 : last + 1])]
        self._hold(chunk[last + 1 :])
        return lines

    def rest(self) -> list[str]:
        """Give the last line, where no newline ended it."""
        return [self._take()] if self._held else []

    def _hold(self, part: bytes) -> None:
        room = self._limit - len(self._held)
        self._held += part[:room]
        self.cut += max(0, len(part) - room)

    def _take(self) -> str:
        text = decode(self._held)
        self._held.clear()
        return text

    def _whole(self, block: bytes) -> list[str]:
        if len(block) <= self._limit:
            # All at once: a newline is never part of another character, and line by line takes four times as long.
            return decode(block).replace("\r\n", "\n").split("\n")[:-1]
        lines = []
        for line in block.split(b"\n")[:-1]:
            self._hold(line)
            lines.append(self._take().removesuffix("\r"))
        return lines


def decode(data: bytes | bytearray) -> str:
    """Decode what a program printed; what is no text becomes U+FFFD."""
    return data.decode(errors="replace").replace("\0", "\ufffd")
