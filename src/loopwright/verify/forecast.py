"""How much an experiment can see, and how long it still takes: before it starts, and while it runs."""

from __future__ import annotations

import math
from functools import cache

from loopwright.verify.evidence import FUTILE, futility, most_discordant, reached, superiority, threshold

_POWER = 0.8
USUAL_DISCORDANT = 0.35
"""Of pairs of one task, so many end differently where nothing is known yet."""
_STEP = 0.005


@cache
def smallest_effect(maximum: int, discordant: float = USUAL_DISCORDANT, wanted: float | None = None) -> float:
    """Give the smallest lift that is found with a probability of 80 %; 1 where not even the largest is."""
    low, high = 0, math.ceil(discordant / _STEP)
    while low < high:
        middle = (low + high) // 2
        found = power(maximum, discordant, middle * _STEP, wanted) >= _POWER
        low, high = (low, middle) if found else (middle + 1, high)
    return min(low * _STEP, discordant) if power(maximum, discordant, discordant, wanted) >= _POWER else 1.0


def power(maximum: int, discordant: float, lift: float, wanted: float | None = None) -> float:
    """Give the probability that so many pairs promote, where so many differ and B wins so many more of them.

    As if the expected number of discordant pairs came; stopping early because nothing is to be seen is not counted.
    """
    tosses = min(most_discordant(maximum), round(maximum * discordant))
    chance = (discordant + min(lift, discordant)) / (2 * discordant)
    needed = threshold(maximum) if wanted is None else wanted
    return reached(needed, tosses, chance)


def pairs_left(wins: int, losses: int, pairs: int, maximum: int, wanted: float) -> int:
    """Guess how many more pairs it takes to decide, if it goes on as it has."""
    if not pairs:
        return maximum
    up = _until(superiority(wins, losses), wanted, pairs)
    against = _until(futility(wins, losses, pairs), FUTILE, pairs)
    return max(0, min(up, against, maximum - pairs))


def _until(now: float, wanted: float, pairs: int) -> int:
    worth = math.log(max(now, 1e-300))
    return math.ceil((math.log(wanted) - worth) / (worth / pairs)) if worth > 0 else 10**9
