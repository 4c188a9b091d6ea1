"""Runs of the past -> what is usual for their like: medians, and nothing where there are too few."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from loopwright.records.baseline import Usual

FEWEST = 10
"""With fewer runs of its like, nobody knows what is usual."""


def usual(values: Sequence[float]) -> Usual:
    """Sum up one number of many runs; those that are 0 were not measured."""
    known = [value for value in values if value > 0]
    if len(known) < FEWEST:
        return Usual(len(known))
    middle = float(median(known))
    return Usual(len(known), middle, float(median(abs(value - middle) for value in known)))
