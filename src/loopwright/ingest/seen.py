"""What was told before, known by its name: of each only the hash is kept, since a session may have millions."""

from __future__ import annotations

from collections.abc import Hashable


class Seen:
    """Names, as far as there are not too many."""

    def __init__(self, most: int = 1_000_000) -> None:
        self._marks: set[int] = set()
        self._most = most

    def __contains__(self, name: Hashable) -> bool:
        return hash(name) in self._marks

    def is_new(self, name: Hashable) -> bool:
        """Say whether a name was not there, and remember it."""
        mark = hash(name)
        if mark in self._marks:
            return False
        if len(self._marks) < self._most:
            self._marks.add(mark)
        return True
