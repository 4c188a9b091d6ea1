"""Medians that outliers don't move, of many numbers, each number itself left out; no number is looked at twice."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterable, Sequence


class Others:
    """Positive numbers in order; says what the others come to when one of them is left out."""

    def __init__(self, values: Iterable[float]) -> None:
        self._values = sorted(value for value in values if value > 0)
        self._logs = [math.log(value) for value in self._values]

    def without(self, value: float | None = None) -> tuple[int, float, float, float]:
        """Give the count, the median, the median distance from it, and the same of the logarithms.

        Of a number that is not among them, nothing is left out. Zeros where there are none.
        """
        gap = self._place(value)
        count = len(self._values) - (gap < len(self._values))
        if not count:
            return 0, 0.0, 0.0, 0.0
        low, high = (self._values[place + (place >= gap)] for place in ((count - 1) // 2, count // 2))
        middle = (low + high) / 2
        logs = _distance(self._logs, count, gap, math.log(middle))
        return count, middle, _distance(self._values, count, gap, middle), logs

    def _place(self, value: float | None) -> int:
        found = len(self._values) if value is None else bisect_left(self._values, value)
        return found if found < len(self._values) and self._values[found] == value else len(self._values)


def _distance(numbers: Sequence[float], count: int, gap: int, middle: float) -> float:
    """Find the median distance: the numbers nearest to the middle stand beside each other."""
    wanted = (count + 1) // 2
    low, high = 0, count - wanted
    while low < high:  # halves where the nearest ones begin
        here = (low + high) // 2
        left, right = numbers[here + (here >= gap)], numbers[here + wanted + (here + wanted >= gap)]
        if middle - left > right - middle:
            low = here + 1
        else:
            high = here
    ends = [numbers[place + (place >= gap)] for place in (low, low + wanted - 1)]
    far = max(abs(ends[0] - middle), abs(ends[1] - middle))
    if count % 2:
        return far
    beside = [numbers[place + (place >= gap)] for place in (low - 1, low + wanted) if 0 <= place < count]
    return (far + min(abs(number - middle) for number in beside)) / 2
