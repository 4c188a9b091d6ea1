"""Patterns + texts -> what was found. Runs in an interpreter of its own (see pattern.py): little is imported."""
# pathlib would double the start:
# ruff: noqa: PTH123

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MOST_BYTES = 20_000_000
"""How much of a file is searched."""
_LINE = 200

Found = list[tuple[int, int, str]]
"""The file's place in the list, the line's number, the line."""


def is_in(pattern: str, text: str) -> bool:
    """Say whether a pattern is in a text."""
    return re.search(pattern, text, re.MULTILINE) is not None


def are_in(wanted: list[list[str]], texts: dict[str, str]) -> list[bool]:
    """Say so of many, each a pattern and the name of its text."""
    return [is_in(pattern, texts[name]) for pattern, name in wanted]


def find_lines(pattern: str, places: list[str], ignore_case: bool, most: int) -> tuple[Found, list[int]]:
    """Find up to `most` lines at which a pattern begins; name the files that are too large to be searched whole."""
    compiled = re.compile(pattern, re.MULTILINE | (re.IGNORECASE if ignore_case else 0))
    hits: Found = []
    cut = []
    for index, place in enumerate(places):
        text, whole = _read(place)
        hits += ((index, number, line) for number, line in _lines(compiled.finditer(text), text, most - len(hits)))
        if not whole:
            cut.append(index)
        if len(hits) >= most:
            break
    return hits, cut


def _lines(found: Iterable[re.Match[str]], text: str, most: int) -> Iterator[tuple[int, str]]:
    number, last, seen, given = 1, 0, 0, 0
    for match in found:
        number, last = number + text.count("\n", last, match.start()), match.start()
        if number == seen:
            continue
        seen, given = number, given + 1
        start = text.rfind("\n", 0, last) + 1
        yield number, text[start : start + _LINE].partition("\n")[0].strip()
        if given >= most:
            return


def _read(place: str) -> tuple[str, bool]:
    with open(place, "rb") as file:
        data = file.read(MOST_BYTES + 1)
    # As in text mode: a `$` must also match at the end of a line that was written on Windows.
    text = data[:MOST_BYTES].decode("utf-8-sig", errors="replace").replace("\r\n", "\n")
    return text, len(data) <= MOST_BYTES
