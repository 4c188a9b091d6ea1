"""Words that come in pieces -> the whole; of more than anybody keeps only the beginning is held."""

from __future__ import annotations

from loopwright.text.bounded import TEXT_LIMIT


class Pieces:
    """What was said so far, until somebody takes it."""

    def __init__(self) -> None:
        self._held: list[str] = []
        self._size = 0

    def add(self, text: str) -> None:
        """Take the next piece; one more than is kept, so that it shows that it was cut."""
        if text and self._size <= TEXT_LIMIT:
            self._held.append(text)
            self._size += len(text)

    def take(self) -> str:
        """Give the whole, and begin anew."""
        words = "".join(self._held)
        self._held, self._size = [], 0
        return words
