"""Medians that outliers don't move, of many numbers, each number itself left out; no number is looked at twice."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterable


class Others:
    """Positive numbers in order; says what the others come to when one of them is left out."""

    def __init__(self, values: Iterable[float]) -> None:
        self._values = sorted(value for value in values if value > 0)

    def without(self, value: float | None = None) -> tuple[int, float, float, float]:
        """Give the count, the median, the median distance from it, and the same of the logarithms.

        Of a number that is not among them, nothing is left out. Zeros where there are none.
        """
        gap = self._place(value)
        count = len(self._values) - (gap < len(self._values))
        if not count:
            return 0, 0.0, 0.0, 0.0
        low, high = self._at((count - 1) // 2, gap), self._at(count // 2, gap)
        middle = (low + high) / 2
        return count, middle, self._distance(count, gap, middle), self._distance(count, gap, middle, logs=True)

    def _place(self, value: float | None) -> int:
        found = len(self._values) if value is None else bisect_left(self._values, value)
        return found if found < len(self._values) and self._values[found] == value else len(self._values)

    def _at(self, place: int, gap: int) -> float:
        return self._values[place if place < gap else place + 1]

    def _distance(self, count: int, gap: int, middle: float, *, logs: bool = False) -> float:
        """Find the median distance: the numbers nearest to the middle stand beside each other."""
        first, second = (self._nearest((count + more) // 2, count, gap, middle, logs) for more in (1, 2))
        return (first + second) / 2

    def _nearest(self, wanted: int, count: int, gap: int, middle: float, logs: bool) -> float:
        """Give the distance of the so-and-so-nearest number, by halving where the nearest ones begin."""

        def off(place: int) -> float:
            value = self._at(place, gap)
            return abs(math.log(value / middle)) if logs else abs(value - middle)

        low, high = 0, count - wanted
        while low < high:
            here = (low + high) // 2
            if self._at(here, gap) < middle and off(here) > off(here + wanted):
                low = here + 1
            else:
                high = here
        return max(off(low), off(low + wanted - 1))
