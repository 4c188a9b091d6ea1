"""Spans -> the session of each: the conversation that it names, else the one that it is within, else its trace."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

_FARTHEST = 500


class Tie(NamedTuple):
    """What decides to which session a span belongs."""

    trace: str
    id: str
    parent: str
    conversation: str
    began: float


def sessions_of(ties: Iterable[Tie]) -> dict[tuple[str, str], str]:
    """Give the session of each span, of traces that are known as a whole."""
    known = {(tie.trace, tie.id): tie for tie in ties}
    first: dict[str, str] = {}
    for tie in sorted(known.values(), key=lambda tie: tie.began):
        if tie.conversation:
            first.setdefault(tie.trace, tie.conversation)
    return {key: _inherited(tie, known) or first.get(tie.trace) or tie.trace for key, tie in known.items()}


def _inherited(tie: Tie, known: Mapping[tuple[str, str], Tie]) -> str:
    for _ in range(_FARTHEST):
        if tie.conversation:
            return tie.conversation
        above = known.get((tie.trace, tie.parent))
        if above is None:
            return ""
        tie = above
    return ""
