"""One number of a run beside what is usual: how often the median fits into it, and how far out that is."""

from __future__ import annotations

import math

from loopwright.records.baseline import Usual

_TO_DEVIATIONS = 1.4826
"""Of a normal distribution, this many median distances are one standard deviation."""
_MINUTE_S, _HOUR_S = 60, 3600


def duration(seconds: float) -> str:
    """Write how long something took."""
    if seconds < 2 * _MINUTE_S:
        return f"{seconds:.0f} s"
    return f"{seconds / _MINUTE_S:.0f} min" if seconds < 2 * _HOUR_S else f"{seconds / _HOUR_S:.1f} h"


def times(value: float, usual: Usual) -> float:
    """Say how often the median fits into a value; 0 where nothing is known."""
    return value / usual.median if usual.median > 0 and value > 0 else 0.0


def deviations(value: float, usual: Usual) -> float:
    """Say by how many robust deviations of the logarithms a value lies over the median, or under it, as a negative.

    Where all others are the same, anything else lies infinitely far out.
    """
    if not (factor := times(value, usual)):
        return 0.0
    out = math.log(factor)
    if usual.spread > 0:
        return out / (_TO_DEVIATIONS * usual.spread)
    return math.copysign(math.inf, out) if out else 0.0
