"""How certain a share is: Wilson's interval, which stays true for few tries and for shares near 0 and 1."""

from __future__ import annotations

import math

Z_95 = 1.959963985
"""Of a 95% interval, both sides."""
Z_90_LOWER = 1.281551566
"""Of a 90% bound on one side."""


def wilson(hits: int, tries: int, z: float = Z_95) -> tuple[float, float]:
    """Give the interval in which the true share lies, as far as these tries tell; 0 to 1 where there are none."""
    if not tries:
        return 0.0, 1.0
    share, square = hits / tries, z * z
    middle = (share + square / (2 * tries)) / (1 + square / tries)
    reach = z * math.sqrt(share * (1 - share) / tries + square / (4 * tries * tries)) / (1 + square / tries)
    low = 0.0 if hits == 0 else max(0.0, middle - reach)
    return low, 1.0 if hits == tries else min(1.0, middle + reach)


def lower_bound(hits: int, tries: int, z: float = Z_90_LOWER) -> float:
    """Give what the true share is at least, with 90% certainty."""
    return wilson(hits, tries, z)[0]
