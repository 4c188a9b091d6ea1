"""A text, and what is told beside it -> the passages that say what was said before, with the tokens that they take."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from loopwright.text.tokens import tokens_in

_BORDER = re.compile(r"(?<=[.!?])\s+(?=[\"'(*`]*[A-Z\d])|\n\s*\n|\n(?=\s*(?:[-*+#>|]|\d{1,3}[.)])\s)")
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
_LEAST_WORDS = 7
"""Shorter passages are headings, names and turns of phrase."""
_LIKE = 0.85
_MOST = 2_000
"""So many passages of one text are compared."""
_TURNING = frozenset(
    {
        *("not", "no", "never", "don't", "doesn't", "won't", "can't", "cannot", "without", "unless", "except", "only"),
        *("before", "after", "if", "until", "instead", "but", "less", "more", "least", "most", "first", "last"),
        *("nicht", "kein", "keine", "nie", "ohne", "nur", "ne", "pas", "jamais", "sans", "sin", "nunca"),
    }
)
"""Two passages that differ in one of these do not say the same."""


class Passage(NamedTuple):
    """A part of a text."""

    text: str
    """As it stands there."""
    start: int
    end: int
    like: str
    """Where the same was said before: `above`, or the name of what is told beside it."""
    tokens: int


def duplicates(text: str, beside: Mapping[str, str] | None = None) -> list[Passage]:
    """Give the passages of a text that say what is told beside it, or what it said before."""
    told = [(name, words) for name, other in (beside or {}).items() for _, _, words in _passages(other)]
    found = []
    for start, end, words in _passages(text):
        if like := next((name for name, other in told if _same(words, other)), ""):
            part = text[start:end]
            found.append(Passage(part, start, end, like, tokens_in(part)))
        else:
            told.append(("above", words))
    return found


def _passages(text: str) -> list[tuple[int, int, frozenset[str]]]:
    found = []
    for start, end in _spans(text):
        words = frozenset(word.lower() for word in _WORD.findall(text[start:end].replace("’", "'")))
        if len(words) >= _LEAST_WORDS:
            found.append((start, end, words))
    return found[:_MOST]


def _spans(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for border in _BORDER.finditer(text):
        yield start, border.start()
        start = border.end()
    yield start, len(text)


def _same(words: frozenset[str], other: frozenset[str]) -> bool:
    apart = words ^ other
    if not apart:
        return True
    if len(apart) > (1 - _LIKE) * len(words | other):
        return False
    return not any(word in _TURNING or any(sign.isdigit() for sign in word) for word in apart)
