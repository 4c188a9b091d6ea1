"""Regular expressions that others wrote: refused early when wrong, and searched for under a time limit."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from loopwright.errors import TaskError
from loopwright.process.aside import aside

MOST_BYTES = 20_000_000
"""How much of a file is searched."""
_LINE = 200
_FLAGS = re.compile(r"^\(\?[aiLmsux]+\)")
_IN_NONE = {"(?!)", *(f"[^{pair}]" for pair in (r"\s\S", r"\S\s", r"\w\W", r"\W\w", r"\d\D", r"\D\d"))}
_SPECIAL = frozenset(r".^$*+?{}[]\|()")

Found = list[tuple[int, int, str]]
"""The file's place in the list, the line's number, the line."""


@dataclass(frozen=True)
class Search:
    """What was found, and which files were too large to be searched to their end."""

    hits: Found
    cut: list[int]


def valid(pattern: str) -> str:
    """Give a pattern back, or say where it is wrong."""
    if not pattern:
        raise TaskError("the pattern is empty: it would match anything")
    try:
        re.compile(pattern)
    except re.error as error:
        where = "" if error.pos is None else f" at position {error.pos}"
        raise TaskError(
            f"`{pattern}` is not a regular expression: {error.msg}{where}",
            "put a \\ before a sign that is meant as such",
        ) from None
    except (OverflowError, RecursionError) as error:
        raise TaskError(f"`{pattern[:100]}` is too large for a regular expression: {error}") from None
    return pattern


def matches_anything(pattern: str) -> bool:
    """Say whether a pattern is in every text that is not empty, such as `x*` and `.`."""
    return all(_matches(pattern, text) for text in ("x", "-", "+ 1\n\n"))


def matches_nothing(pattern: str) -> bool:
    """Say whether a pattern is known to be in no text, such as `(?!)`."""
    return _FLAGS.sub("", pattern).strip("^$") in _IN_NONE


def search_files(pattern: str, files: Sequence[Path], *, ignore_case: bool, most: int, timeout_s: float) -> Search:
    """Find up to `most` lines at which a pattern begins; TimeoutError when it takes too long."""
    places = [str(file) for file in files]
    if _is_plain(pattern):
        hits, cut = _search_files(pattern, places, ignore_case, most)
    else:
        hits, cut = aside(timeout_s, _search_files, pattern, places, ignore_case, most)
    return Search(hits, cut)


def matches(pattern: str, text: str, timeout_s: float) -> bool:
    """Say whether a pattern is in a text; TimeoutError when it takes too long."""
    return _matches(pattern, text) if _is_plain(pattern) else aside(timeout_s, _matches, pattern, text)


def matches_each(wanted: Sequence[tuple[str, str]], texts: Mapping[str, str], timeout_s: float) -> list[bool | None]:
    """Say of patterns, each with the name of a text, whether they are in it; None of one that takes too long.

    One interpreter looks for all of them; only where one of them hangs has each its own.
    """
    try:
        return list(aside(timeout_s, _matches_each, [list(pair) for pair in wanted], dict(texts))) if wanted else []
    except TimeoutError:
        return [_in_time(pattern, texts[name], timeout_s) for pattern, name in wanted]


def _in_time(pattern: str, text: str, timeout_s: float) -> bool | None:
    try:
        return matches(pattern, text, timeout_s)
    except TimeoutError:
        return None


def _matches_each(wanted: list[list[str]], texts: dict[str, str]) -> list[bool]:
    return [_matches(pattern, texts[name]) for pattern, name in wanted]


def _is_plain(pattern: str) -> bool:
    return _SPECIAL.isdisjoint(pattern)


def _matches(pattern: str, text: str) -> bool:
    return re.search(pattern, text, re.MULTILINE) is not None


def _search_files(pattern: str, places: list[str], ignore_case: bool, most: int) -> tuple[Found, list[int]]:
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
    with Path(place).open("rb") as file:
        data = file.read(MOST_BYTES + 1)
    # As in text mode: a `$` must also match at the end of a line that was written on Windows.
    text = data[:MOST_BYTES].decode("utf-8-sig", errors="replace").replace("\r\n", "\n")
    return text, len(data) <= MOST_BYTES
