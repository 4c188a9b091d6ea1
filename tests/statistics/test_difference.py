"""The difference of two shares, and how certain it is."""

from __future__ import annotations

import math
import random

import pytest

from loopwright.statistics.difference import difference


def test_against_newcombe() -> None:
    """The examples of Newcombe's paper (1998, method 10) come out as there."""
    low, high = difference(56, 70, 48, 80)
    assert (round(low, 4), round(high, 4)) == (0.0524, 0.3339)
    low, high = difference(9, 10, 3, 10)
    assert (round(low, 4), round(high, 4)) == (0.1705, 0.8090)
    low, high = difference(0, 10, 0, 20)
    assert (round(low, 4), round(high, 4)) == (-0.1611, 0.2775)


def test_without_tries_anything_may_be() -> None:
    """Where nobody looked, nothing is known."""
    assert difference(0, 0, 3, 10) == (-1.0, 1.0)
    assert difference(3, 10, 0, 0) == (-1.0, 1.0)


@pytest.mark.parametrize("share", [0.1, 0.5])
def test_it_holds_as_often_as_it_says(share: float) -> None:
    """Of two samples of one share, about 1 in 20 intervals leaves out nothing, and no more than 1 in 14."""
    chance = random.Random(7)
    wrong = 0
    for _ in range(2000):
        hits = [sum(chance.random() < share for _ in range(30)) for _ in range(2)]
        low, high = difference(hits[0], 30, hits[1], 30)
        wrong += not low <= 0 <= high
        assert math.isfinite(low)
    assert wrong / 2000 < 0.07
