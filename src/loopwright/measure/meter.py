"""Events as they go by -> what passed between any two of them: time, tokens, money."""

from __future__ import annotations

from array import array
from bisect import bisect_left

from loopwright.records.budget import Usage
from loopwright.records.event import Event, EventKind
from loopwright.text.amounts import moment
from loopwright.text.prices import dollars

PAUSE_S = 300.0
"""A longer pause counts as one of this length: somebody was away."""


class Meter:
    """Counts one session. Events come in the order of their numbers."""

    def __init__(self) -> None:
        self._numbers = array("q")
        self._last_at, self._last_s = "", 0.0
        self._seconds, self._tokens, self._dollars = array("d"), array("d"), array("d")
        self.at = ""
        """When the newest event was."""

    def add(self, event: Event) -> None:
        """Take the next event."""
        passed = tokens = cost = 0.0
        if self._numbers:
            passed, tokens, cost = self._seconds[-1], self._tokens[-1], self._dollars[-1]
        if event.at and event.at != self._last_at:
            passed += self._pass_time(event.at)
        if event.kind is EventKind.USAGE:
            used, price = _spent(event)
            tokens, cost = tokens + used, cost + price
        self._numbers.append(event.seq)
        self._seconds.append(passed)
        self._tokens.append(tokens)
        self._dollars.append(cost)

    def between(self, first: int, last: int) -> tuple[float, int, float]:
        """Give the seconds, tokens and US dollars from one event to another."""
        start, end = self._place(first), self._place(last)
        if end < start or not self._numbers:
            return 0.0, 0, 0.0
        return (
            round(self._seconds[end] - self._seconds[start], 3),
            int(self._tokens[end] - self._tokens[start]),
            round(self._dollars[end] - self._dollars[start], 6),
        )

    def _place(self, seq: int) -> int:
        return min(bisect_left(self._numbers, seq), len(self._numbers) - 1)

    def _pass_time(self, at: str) -> float:
        self._last_at = self.at = at
        now, before = moment(at) or 0.0, self._last_s
        self._last_s = max(now, before)
        return min(now - before, PAUSE_S) if now > before and before else 0.0


def _spent(event: Event) -> tuple[int, float]:
    told = event.data
    usage = Usage(*(_count(told.get(name)) for name in ("input", "output", "cache_read", "cache_write")))
    cost = dollars(str(told.get("model", "")), usage, _count(told.get("cache_write_1h")))
    said = told.get("cost_usd")
    if cost is None:
        cost = float(said) if isinstance(said, int | float) else 0.0
    return usage.total, cost


def _count(value: object) -> int:
    return value if isinstance(value, int) else 0
