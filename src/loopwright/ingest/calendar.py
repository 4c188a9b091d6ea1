"""Days on which something happened -> a row of periods without a gap, as a chart needs them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from loopwright.ingest.report import Part


@dataclass(frozen=True)
class Period:
    """A few days in a row; the last one may be cut by the end of all."""

    first: str
    last: str
    cost_usd: float = 0.0
    tokens: int = 0

    @property
    def days(self) -> int:
        return _number(self.last) - _number(self.first) + 1


def periods(days: Iterable[Part], most: int) -> Sequence[Period]:
    """Give periods of one length from the first day to the last, as short as so many allow."""
    known = {number: part for part in days if (number := _number(part.name))}
    if not known:
        return []
    first, last = min(known), max(known)
    length = -(-(last - first + 1) // max(1, most))
    found = [[0.0, 0.0] for _ in range(first, last + 1, length)]
    for number, part in known.items():
        sums = found[(number - first) // length]
        sums[0] += part.cost_usd
        sums[1] += part.tokens.total
    return [_period(first + place * length, length, last, *sums) for place, sums in enumerate(found)]


def _number(day: str) -> int:
    """Number a day; 0 where it is none."""
    try:
        return date.fromisoformat(day).toordinal()
    except ValueError:
        return 0


def _period(first: int, length: int, last: int, cost_usd: float, tokens: float) -> Period:
    end = min(first + length - 1, last)
    return Period(_written(first), _written(end), cost_usd, int(tokens))


def _written(number: int) -> str:
    return date.fromordinal(number).isoformat()
