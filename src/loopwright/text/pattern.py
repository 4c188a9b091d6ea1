"""Regular expressions that others wrote: refused early when wrong, and searched for under a time limit."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from loopwright.errors import TaskError
from loopwright.process.kept import kept
from loopwright.text.searching import Found, are_in, find_lines, is_in

_FLAGS = re.compile(r"^\(\?[aiLmsux]+\)")
_IN_NONE = {"(?!)", *(f"[^{pair}]" for pair in (r"\s\S", r"\S\s", r"\w\W", r"\W\w", r"\d\D", r"\D\d"))}
_SPECIAL = frozenset(r".^$*+?{}[]\|()")


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
    return all(is_in(pattern, text) for text in ("x", "-", "+ 1\n\n"))


def matches_nothing(pattern: str) -> bool:
    """Say whether a pattern is known to be in no text, such as `(?!)`."""
    return _FLAGS.sub("", pattern).strip("^$") in _IN_NONE


def search_files(pattern: str, files: Sequence[Path], *, ignore_case: bool, most: int, timeout_s: float) -> Search:
    """Find up to `most` lines at which a pattern begins; TimeoutError when it takes too long."""
    places = [str(file) for file in files]
    if _is_plain(pattern):
        hits, cut = find_lines(pattern, places, ignore_case, most)
    else:
        hits, cut = kept(timeout_s, find_lines, pattern, places, ignore_case, most)
    return Search(hits, cut)


def matches(pattern: str, text: str, timeout_s: float) -> bool:
    """Say whether a pattern is in a text; TimeoutError when it takes too long."""
    return is_in(pattern, text) if _is_plain(pattern) else kept(timeout_s, is_in, pattern, text)


def matches_each(wanted: Sequence[tuple[str, str]], texts: Mapping[str, str], timeout_s: float) -> list[bool | None]:
    """Say of patterns, each with the name of a text, whether they are in it; None of one that takes too long.

    One interpreter looks for all of them; only where one of them hangs has each its own.
    """
    try:
        return list(kept(timeout_s, are_in, [list(pair) for pair in wanted], dict(texts))) if wanted else []
    except TimeoutError:
        return [_in_time(pattern, texts[name], timeout_s) for pattern, name in wanted]


def _in_time(pattern: str, text: str, timeout_s: float) -> bool | None:
    try:
        return matches(pattern, text, timeout_s)
    except TimeoutError:
        return None


def _is_plain(pattern: str) -> bool:
    return _SPECIAL.isdisjoint(pattern)
