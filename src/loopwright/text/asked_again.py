"""What a human said in one session -> the requests that were made more than once."""

from __future__ import annotations

import re
from collections.abc import Sequence

from loopwright.text.pasted import unpasted
from loopwright.text.relevance import words_of

_LIKE = 0.7
_FEWEST_WORDS = 4
"""Fewer are an answer, or an order that is usual between two pieces of work: `commit and push`."""
_LONGEST = 2_000
_MOST = 200
_WORKED = 2
"""More events than this lie between: who says the same again at once only sends it again."""
_LONGER = 1.6
"""A request that has all words of another is the same while it is not much longer."""
_PLACE = re.compile(r"https?://\S+|\S*/\S*/\S*")
_USUAL = frozenset({"commit", "push", "merge", "rebase", "continue", "review", "deploy", "release", "pull", "comments"})
"""What is asked for after each piece of work."""


def asked_again(requests: Sequence[tuple[int, str]]) -> list[list[int]]:
    """Give the numbers of like requests, each group in order; what is asked once is not among them."""
    groups: list[tuple[frozenset[str], list[int]]] = []
    for seq, text in requests[:_MOST]:
        words = frozenset(words_of(_PLACE.sub(" ", unpasted(text[:_LONGEST]))))
        if len(words) < _FEWEST_WORDS or (len(words) < 2 * _FEWEST_WORDS and words & _USUAL):
            continue
        group = next((numbers for known, numbers in groups if _like(known, words)), None)
        if group is None:
            groups.append((words, [seq]))
        elif seq - group[-1] > _WORKED:
            group.append(seq)
    return [numbers for _, numbers in groups if len(numbers) > 1]


def _like(one: frozenset[str], other: frozenset[str]) -> bool:
    both, less, more = len(one & other), *sorted((len(one), len(other)))
    return both >= _LIKE * len(one | other) or (both == less and more <= _LONGER * less)
