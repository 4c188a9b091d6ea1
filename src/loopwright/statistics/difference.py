"""Two shares -> the interval of their difference, and whether it is more than chance (Newcombe's, of two Wilson's)."""

from __future__ import annotations

import math

from loopwright.statistics.intervals import Z_95, wilson


def difference(hits: int, tries: int, other_hits: int, other_tries: int, z: float = Z_95) -> tuple[float, float]:
    """Give the interval of the first share minus the other; -1 to 1 where there are no tries of either."""
    if not tries or not other_tries:
        return -1.0, 1.0
    share, other = hits / tries, other_hits / other_tries
    (low, high), (other_low, other_high) = wilson(hits, tries, z), wilson(other_hits, other_tries, z)
    return (
        share - other - math.hypot(share - low, other_high - other),
        share - other + math.hypot(high - share, other - other_low),
    )
