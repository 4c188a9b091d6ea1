"""Counts -> an interval in which a rate lies."""

from __future__ import annotations

import math

_Z = 1.959963984540054
"""95 % of a normal distribution lie within so many standard deviations."""


def wilson(successes: int, trials: int) -> tuple[float, float]:
    """Give the 95 % interval of a rate (Wilson's): it holds for few trials too, and lies between 0 and 1."""
    if trials <= 0:
        return 0.0, 1.0
    rate, square = successes / trials, _Z * _Z
    middle = (rate + square / (2 * trials)) / (1 + square / trials)
    half = _Z * math.sqrt(rate * (1 - rate) / trials + square / (4 * trials**2)) / (1 + square / trials)
    return max(0.0, middle - half), min(1.0, middle + half)
