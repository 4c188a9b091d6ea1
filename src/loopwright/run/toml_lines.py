"""A TOML text -> the line of every key and every item, which Python's own reader does not tell."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping

Place = tuple[str | int, ...]
"""The keys and positions that lead to a value."""

_STRING = re.compile(
    r'''"""(?:\\.|(?!""").)*"{3,5}|"(?:\\.|[^"\\])*"|'''
    r"""'''(?:(?!''').)*'{3,5}|'[^']*'""",
    re.DOTALL,
)
_BARE = re.compile(r"[\w-]+")
_BLANK = re.compile(r"[ \t]*")
_BETWEEN = re.compile(r"(?:[\s,]|#[^\n]*)*")
_EQUALS = re.compile(r"[ \t]*=[ \t]*")
_REST = re.compile(r"[^,\]}#\n]*")


def toml_lines(text: str) -> Mapping[Place, int]:
    """Find the places of a text that is known to be valid; nothing is checked here."""
    scan = _Scan(text)
    scan.document()
    return scan.lines


class _Scan:
    def __init__(self, text: str) -> None:
        self._text, self._at = text, 0
        self._newest: dict[Place, int] = {}
        """Of each array of tables, the table that was begun last."""
        self.lines: dict[Place, int] = {}

    def document(self) -> None:
        table: Place = ()
        for opening in self._until(""):
            table = self._header() if opening == "[" else self._pair(table)

    def _header(self) -> Place:
        """Read `[a.b]` or `[[a.b]]`."""
        brackets, start = (2 if self._text.startswith("[[", self._at) else 1), self._at
        self._at += brackets
        place: Place = ()
        keys = self._keys()
        for key in keys[:-1]:
            place = self._open((*place, key))
        place = (*place, keys[-1])
        if brackets == 2:
            self._note(place, start)
            self._newest[place] = self._newest.get(place, -1) + 1
        place = self._open(place)
        self._note(place, start)
        self._at += brackets
        return place

    def _open(self, place: Place) -> Place:
        return (*place, self._newest[place]) if place in self._newest else place

    def _pair(self, table: Place) -> Place:
        start, place = self._at, table
        for key in self._keys():
            place = (*place, key)
            self._note(place, start)
        self._take(_EQUALS)
        self._value(place)
        return table

    def _keys(self) -> list[str]:
        keys = []
        while True:
            self._take(_BLANK)
            quoted = self._text[self._at] in "\"'"
            word = self._take(_STRING if quoted else _BARE)
            keys.append(next(iter(tomllib.loads(f"{word} = 0"))))
            self._take(_BLANK)
            if self._text[self._at] != ".":
                return keys
            self._at += 1

    def _value(self, place: Place) -> None:
        opening = self._text[self._at]
        if opening == "[":
            for index, _ in enumerate(self._until("]")):
                self._note((*place, index), self._at)
                self._value((*place, index))
        elif opening == "{":
            for _ in self._until("}"):
                self._pair(place)
        else:
            self._take(_STRING if opening in "\"'" else _REST)

    def _until(self, closing: str) -> Iterator[str]:
        """Go from item to item; give the first character of each."""
        self._at += len(closing)
        self._take(_BETWEEN)
        while self._at < len(self._text) and self._text[self._at] != closing:
            yield self._text[self._at]
            self._take(_BETWEEN)
        self._at += len(closing)

    def _take(self, pattern: re.Pattern[str]) -> str:
        match = pattern.match(self._text, self._at)
        assert match is not None, "the text is valid"
        self._at = match.end()
        return match.group()

    def _note(self, place: Place, at: int) -> None:
        self.lines.setdefault(place, self._text.count("\n", 0, at) + 1)
