"""What a record says of tokens, message by message -> each of them counted once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from loopwright.records.event import Event, EventKind
from loopwright.text.bounded import forget_oldest

Counts = tuple[int, ...]
"""Tokens in, out, read from a cache, written to it; none is counted twice. And how many of the last are for an hour."""

FOR_AN_HOUR = "cache_write_1h"
_MOST_MESSAGES = 200_000
_MOST_DOLLARS = 1e9


class Spending:
    """Gives an event for the tokens of each message: of the largest value that was seen for its id."""

    def __init__(self) -> None:
        self._seen: dict[str, Counts] = {}

    def saw(
        self, message_id: str, model: str, counts: Counts, at: str, parent_call_id: str | None = None
    ) -> Sequence[Event]:
        """Take what a line says of a message; give what that is more than was known."""
        before = self._seen.get(message_id)
        if counts == before or not any(counts):
            return ()
        forget_oldest(self._seen, _MOST_MESSAGES)
        if before is None:
            self._seen[message_id] = counts
            return (used(model, counts, at, message_id, parent_call_id),)
        largest = tuple(map(max, counts, before))
        self._seen[message_id] = largest
        more = [now - then for now, then in zip(largest, before, strict=True)]
        return (used(model, more, at, message_id, parent_call_id),) if any(more) else ()


def dollars_of(value: object) -> float | None:
    """Read what somebody says that something cost; None where that can't be."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return None
    return float(value) if 0 <= value < _MOST_DOLLARS else None


def with_cost(event: Event, cost_usd: float | None) -> Event:
    """Let tokens cost what somebody says; it counts where no price of them is known."""
    return event if cost_usd is None else replace(event, data={**event.data, "cost_usd": cost_usd})


def used(model: str, counts: Sequence[int], at: str, message_id: str = "", parent_call_id: str | None = None) -> Event:
    """Tell of tokens that were used."""
    read, wrote, cache_read, cache_write, *longer = counts
    data: dict[str, Any] = {
        "message": message_id,
        "model": model,
        "input": read,
        "output": wrote,
        "cache_read": cache_read,
        "cache_write": cache_write,
    }
    if any(longer):
        data[FOR_AN_HOUR] = longer[0]
    return Event(EventKind.USAGE, parent_call_id=parent_call_id, data=data, at=at)
