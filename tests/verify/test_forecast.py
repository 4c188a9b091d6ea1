"""Forecasts against what is computed exactly, pair by pair."""

from __future__ import annotations

import pytest

from loopwright.verify.evidence import decide, superiority, threshold
from loopwright.verify.forecast import pairs_left, power, smallest_effect


def exact(maximum: int, discordant: float, lift: float) -> float:
    """Walk over all wins and losses, pair by pair, with every decision of the rule that promotes."""
    win, loss = (discordant + lift) / 2, (discordant - lift) / 2
    chances, promoted = {(0, 0): 1.0}, 0.0
    for pairs in range(1, maximum + 1):
        following: dict[tuple[int, int], float] = {}
        for (wins, losses), chance in chances.items():
            for place, share in (
                ((wins + 1, losses), win),
                ((wins, losses + 1), loss),
                ((wins, losses), 1 - discordant),
            ):
                following[place] = following.get(place, 0.0) + chance * share
        chances = {}
        for (wins, losses), chance in following.items():
            if decide(wins, losses, pairs, maximum) == "promote":
                promoted += chance
            elif chance > 1e-12:
                chances[wins, losses] = chance
    return promoted


@pytest.mark.parametrize(("discordant", "lift"), [(0.35, 0.3), (0.35, 0.2), (0.5, 0.3), (0.5, 0.0)])
def test_power_is_near_the_exact_one(discordant: float, lift: float) -> None:
    """The forecast is within eight points of what is exact, for 60 pairs."""
    assert power(60, discordant, lift) == pytest.approx(exact(60, discordant, lift), abs=0.08)


def test_power_of_the_published_design() -> None:
    """Ten points at a base rate of .5 are found in about eight of ten experiments of 600 pairs."""
    assert 0.78 <= power(600, 0.5, 0.1) <= 0.9
    assert power(600, 0.5, 0.0) <= 0.05


def test_the_smallest_effect_is_the_smallest() -> None:
    """It is found with 80 %, half a point less is not; more pairs see less, and where nothing can be seen it is 1."""
    for maximum in (60, 200, 600):
        effect = smallest_effect(maximum)
        assert power(maximum, 0.35, effect) >= 0.8 > power(maximum, 0.35, effect - 0.005)
    assert smallest_effect(600) < smallest_effect(200) < smallest_effect(60) < 1
    assert smallest_effect(30, 0.05) == 1.0
    assert smallest_effect(200, 0.35, 60.0) > smallest_effect(200)


def test_pairs_that_are_left() -> None:
    """As it has gone, it goes on: the guess is where the evidence would cross its line."""
    left = pairs_left(20, 10, 60, 600, threshold(600))
    grown = 1 + left / 60
    assert superiority(round(20 * grown), round(10 * grown)) >= threshold(600) * 0.5
    assert pairs_left(0, 0, 0, 600, 17.0) == 600
    assert pairs_left(30, 0, 30, 600, 17.0) == 0
    assert pairs_left(30, 30, 590, 600, 17.0) <= 10
