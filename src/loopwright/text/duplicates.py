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
_NEUTRAL = frozenset(
    {
        *(
            "a",
            "an",
            "the",
            "this",
            "that",
            "these",
            "those",
            "it",
            "its",
            "you",
            "your",
            "we",
            "our",
            "i",
            "and",
            "of",
        ),
        *("is", "are", "be", "to", "in", "on", "for", "with", "as", "so", "then", "also", "again", "just", "really"),
        *("please", "always", "must", "should", "shall", "will", "do", "does", "make", "sure", "all", "any", "every"),
        *("whole", "very", "important", "note", "remember", "ensure", "really", "kindly"),
    }
)
"""A later passage that has only these on top of an earlier one adds nothing to it."""
_CODE = re.compile(r"^[ \t]*(```|~~~).*?(?:^[ \t]*\1|\Z)", re.MULTILINE | re.DOTALL)


class Passage(NamedTuple):
    """A part of a text."""

    text: str
    """As it stands there."""
    start: int
    end: int
    like: str
    """Where the same was said before: `above`, or the name of what is told beside it."""
    tokens: int


class _Words(NamedTuple):
    all: frozenset[str]
    telling: tuple[str, ...]
    """Without those that say nothing, in order."""


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


def _passages(text: str) -> list[tuple[int, int, _Words]]:
    found, code = [], [match.span() for match in _CODE.finditer(text)]
    for start, end in _spans(text):
        if any(begin < end and start < until for begin, until in code):
            continue  # an example may show the same line as another
        words = [word.lower() for word in _WORD.findall(text[start:end].replace("’", "'"))]
        if len(several := frozenset(words)) >= _LEAST_WORDS:
            found.append((start, end, _Words(several, tuple(word for word in words if word not in _NEUTRAL))))
    return found[:_MOST]


def _spans(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for border in _BORDER.finditer(text):
        yield start, border.start()
        start = border.end()
    yield start, len(text)


def _same(one: _Words, earlier: _Words) -> bool:
    """Say whether a passage adds nothing to an earlier one: few words differ, and none that matters."""
    words, other = one.all, earlier.all
    if abs(len(words) - len(other)) > (1 - _LIKE) * max(len(words), len(other)):
        return False
    apart = words ^ other
    if len(apart) > (1 - _LIKE) * len(words | other) or any(map(_turns, apart)):
        return False
    left = iter(earlier.telling)
    return all(word in left for word in one.telling)  # in the same order: A instead of B is not B instead of A


def _turns(word: str) -> bool:
    return word in _TURNING or any(sign.isdigit() for sign in word)
