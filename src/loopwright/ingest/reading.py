"""What the readers of all formats have in common: a file of JSON -> values, and what they could not read."""

from __future__ import annotations

import heapq
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from operator import itemgetter
from pathlib import Path
from typing import Any, TypeVar

import orjson

from loopwright.errors import LoopwrightError
from loopwright.guard.formats import PEM_LIMIT
from loopwright.ingest.lines import BOM, is_dense, lines_of, thinned
from loopwright.records.event import Event, EventKind
from loopwright.records.identity import timestamp
from loopwright.text.amounts import moment
from loopwright.text.bounded import TEXT_LIMIT, bounded, cut, parse
from loopwright.text.halves import rest

Owner = TypeVar("Owner")
Dated = TypeVar("Dated", bound=tuple[Any, ...])

LONGEST_WORDS = 20_000
LONGEST_RESULT = 4_000
"""Of a longer result, the beginning and the end are kept: the agent's own record has the rest."""
_LARGEST = 64_000_000
_KEY_BEGINS, _KEY_ENDS, _KEY = "-----BEGIN ", "-----END ", "PRIVATE KEY"
_KEY_LINES = re.compile(r"[A-Za-z0-9+/=\\\s]*+")
_OURS = re.compile(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", re.ASCII)


class TooLarge(LoopwrightError):
    """A document that can't be read in parts, and is too large to be read as a whole."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(f"`{path}` is one document {why}")
        self.path = path


def values_of(path: Path) -> Iterator[tuple[Any, bytes]]:
    """Give each line of a file, parsed and as it was; None where it is no JSON."""
    for line in lines_of(path):
        if not line.isspace():
            yield parsed(line), line


def parsed(line: bytes) -> Any:
    """Read JSON, also what a strict reader refuses: bad UTF-8, half of a surrogate pair; None where it is none."""
    try:
        return orjson.loads(line)
    except ValueError:
        try:
            return parse(line.decode(errors="replace"))
        except ValueError:
            return None


def document_of(path: Path) -> Any:
    """Read a file that is one JSON document; None where it is none."""
    if path.stat().st_size > _LARGEST:
        raise TooLarge(path, f"of more than {_LARGEST // 10**6} MB")
    raw = thinned(path.read_bytes().removeprefix(BOM))
    if is_dense(raw):
        raise TooLarge(path, "of more than a million values")
    return parsed(raw)


def dated(values: Iterable[tuple[Any, bytes]], owner: Owner) -> Iterator[tuple[str, Owner, Any, bytes]]:
    """Give values with their times and whose they are; one that tells no time has that of the value before."""
    at = ""
    for value, line in values:
        told = value.get("timestamp") if isinstance(value, dict) else None
        at = told if isinstance(told, str) else at
        yield at, owner, value, line


def merged(parts: Sequence[Iterator[Dated]]) -> Iterator[Dated]:
    """Put the lines of several files together, in the order of their times, which are the first of each."""
    return parts[0] if len(parts) == 1 else heapq.merge(*parts, key=itemgetter(0))


def said(kind: EventKind, words: object, at: str, parent: str | None = None, /, **told: Any) -> Event:
    """Tell what somebody said, cut where it is too long."""
    text = words if isinstance(words, str) else ""
    return Event(kind, bounded(text, TEXT_LIMIT), parent_call_id=parent, data=told | cut(text, TEXT_LIMIT), at=at)


def raw_event(line: bytes | str, at: str = "") -> Event:
    """Keep a line that nothing understood."""
    text = line.decode(errors="replace") if isinstance(line, bytes) else line
    text = text.rstrip("\r\n")
    return Event(EventKind.RAW, ends_of(text), data=cut(text, LONGEST_RESULT), at=at)


def ends_of(text: str, longest: int = LONGEST_RESULT) -> str:
    """Give a text, or its beginning and its end where it is long: what went wrong is said there."""
    if len(text) <= longest:
        return bounded(text, longest)
    half = longest // 2
    first = _whole_words(text[:half][::-1])[::-1]
    last = text[_after_key(text, len(text) - len(_whole_words(text[-half:]))) :]
    left_out = len(text) - len(first) - len(last)
    return bounded(f"{first}\n[… {left_out:,} characters …]\n{last}", longest + 100)


def _after_key(text: str, place: int) -> int:
    """Give the place, or where a private key ends that has begun before it: its rest is not known for one."""
    begun = text.rfind(_KEY_BEGINS, max(0, place - PEM_LIMIT), place + len(_KEY_BEGINS) - 1)
    if begun < 0 or _KEY not in text[begun : begun + 60]:
        return place
    ended = text.find(_KEY_ENDS, begun, place + PEM_LIMIT)
    if ended < 0:
        lines = _KEY_LINES.match(text, place)
        return lines.end() if lines else place
    return max(place, min(len(text), ended + len(_KEY_ENDS)))


def _whole_words(text: str) -> str:
    """Leave off the word that a text begins with, which may be cut, or stand behind a name that is left out."""
    word = re.match(r"\s{0,3}\S{1,500}(?=\s)", text)
    return text[word.end() :] if word else rest(text)


def written(value: object) -> bytes:
    """Write plain data as JSON."""
    try:
        return orjson.dumps(value)
    except TypeError:  # a number of more than 64 bits, half of a surrogate pair
        return json.dumps(value, default=str).encode()


def moment_of(value: object) -> str:
    """Write a time as all our times are: ISO 8601 in UTC with milliseconds; empty where it is none."""
    if isinstance(value, str):
        try:
            if _OURS.fullmatch(value):
                datetime.fromisoformat(value)  # it may be no day all the same
                return value
            told = moment(value)
            return "" if told is None else timestamp(told)
        except (ValueError, OverflowError):
            return ""
    if isinstance(value, int | float) and not isinstance(value, bool) and 10**11 < value < 10**14:
        return timestamp(value / 1000)
    return timestamp(value) if isinstance(value, int | float) and 10**8 < value < 10**11 else ""
