"""Pairs of outcomes -> evidence that stays true however often one looks, and what it decides.

A pair is one task done by both arms, or two tasks of one type in a randomised block of two. Each function bets against
a claim: what the bets are worth is the evidence, and with no effect it rarely ever gets high, at any look.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Literal

Decision = Literal["promote", "no_difference", "continue"]

ALPHA = 0.05
MINIMUM_PAIRS, MAXIMUM_PAIRS = 30, 600
FUTILE = 5.0
"""So much evidence against a lift of ten points says that there is none worth having."""
VILLE = 1 / ALPHA
"""What evidence reaches with a probability of at most 5 %, if nothing is known of how many looks there are."""
_BETS = ((0.2, 0.7), (0.4, 0.3))
"""What is staked on B, and the weight of that stake."""
_STAKES = ((0.05, 0.1), (0.1, 0.2), (0.2, 0.4), (0.4, 0.2), (0.8, 0.1))
_LIFT = 0.1
_MOST_STAKED = 0.95
_DISCORDANT = 0.6
"""The threshold is exact while at most so much of the maximum is discordant; none is promoted beyond."""
_PRIOR = 50.0
_KNOWN = {200: 12.6546, 300: 14.6442, 600: 17.1875, 1000: 17.8599}
"""Thresholds that were computed before; a test computes them again."""
_MOST_COMPUTED = 2000
"""Beyond it takes minutes, and the bound that needs no maximum holds as well."""
_HIGHEST = 700.0
"""As a logarithm: more than enough, and no overflow."""
_STEPS = 40
_GRID = 400


def superiority(wins: int, losses: int) -> float:
    """Give the evidence that B passes more often than A, by the pairs in which only one of them did."""
    if wins < 0 or losses < 0:
        raise ValueError(f"`{wins}` wins and `{losses}` losses: there are none below 0")
    return math.fsum(weight * _power(1 + bet, wins) * _power(1 - bet, losses) for bet, weight in _BETS)


def futility(wins: int, losses: int, pairs: int) -> float:
    """Give the evidence against a lift of ten points or more."""
    _check(wins, losses, pairs)
    same = pairs - wins - losses
    return math.fsum(
        weight
        * _power(1 - (1 - _LIFT) * stake, wins)
        * _power(1 + (1 + _LIFT) * stake, losses)
        * _power(1 + _LIFT * stake, same)
        for stake, weight in _STAKES
    )


def superiority_scores(differences: Iterable[float], margin: float = 0.0) -> float:
    """Give the evidence that scores of B, less those of A, lie above zero; with a margin, above minus that."""
    values: Sequence[float] = ()
    for difference in differences:
        values = scores_so_far(values, difference, margin)
    return math.fsum(values) if values else 1.0


def scores_so_far(values: Sequence[float], difference: float, margin: float) -> list[float]:
    """Give what each bet of `superiority_scores` is worth after one more score; their sum is the evidence."""
    worth = values or [weight for _, weight in _BETS]
    return [value * (1 + bet * (difference + margin)) for value, (bet, _) in zip(worth, _BETS, strict=True)]


def adaptive(
    outcomes: Sequence[float], arms: Sequence[int], propensities: Sequence[float], centres: Sequence[float]
) -> float:
    """Give the evidence that B differs for the better, where arms were chosen by what had come before.

    For each unit: whether it passed, its arm (1 is B), the probability with which B was chosen, the pooled rate before.
    """
    values = [weight for _, weight in _STAKES]
    for passed, arm, chance, centre in zip(outcomes, arms, propensities, centres, strict=True):
        factors = [_adaptive_factor(passed, arm, chance, centre, stake) for stake, _ in _STAKES]
        values = [value * factor for value, factor in zip(values, factors, strict=True)]
    return math.fsum(values)


def ratio_mismatch(a: int, b: int) -> float:
    """Give the logarithm of the evidence that two arms were not filled half and half."""
    return _log_beta(_PRIOR + a, _PRIOR + b) - _log_beta(_PRIOR, _PRIOR) + (a + b) * math.log(2)


def threshold(maximum_pairs: int) -> float:
    """Give what evidence of pass and fail has to reach, where so many pairs are the most: exact for a look at each."""
    if maximum_pairs > _MOST_COMPUTED:
        return VILLE
    return _KNOWN.get(maximum_pairs) or _computed(maximum_pairs)


def decide(
    wins: int,
    losses: int,
    pairs: int,
    maximum_pairs: int = MAXIMUM_PAIRS,
    minimum_pairs: int = MINIMUM_PAIRS,
    concurrent: int = 1,
    alone: float = 0.0,
) -> Decision:
    """Say what the pairs so far decide; with several experiments on one role at once, more is asked of each.

    `alone` is `threshold(maximum_pairs)`, for those who know it: to compute it takes longer than all the rest.
    """
    _check(wins, losses, pairs)
    if pairs < minimum_pairs:
        return "continue"
    is_exact = pairs <= maximum_pairs and wins + losses <= most_discordant(maximum_pairs)
    if is_exact and superiority(wins, losses) >= together(alone or threshold(maximum_pairs), concurrent):
        return "promote"
    if futility(wins, losses, pairs) >= FUTILE or pairs >= maximum_pairs:
        return "no_difference"
    return "continue"


def _check(wins: int, losses: int, pairs: int) -> None:
    if wins < 0 or losses < 0 or wins + losses > pairs:
        raise ValueError(f"`{wins}` wins and `{losses}` losses of `{pairs}` pairs: each pair is at most one of them")


def together(alone: float, concurrent: int) -> float:
    """Give what evidence has to reach, where so many experiments run at once on one role."""
    return alone if concurrent <= 1 else max(alone, VILLE * concurrent)


def most_discordant(maximum_pairs: int) -> int:
    """Give how many pairs may be discordant for the threshold to hold."""
    return math.floor(_DISCORDANT * maximum_pairs + 1e-9)


def confidence_sequence(differences: Sequence[float], alpha: float = ALPHA) -> tuple[float, float]:
    """Give the interval of the mean difference that holds at every look at once, in steps of a 400th."""
    return _interval(lambda mean, sign: _is_rejected(differences, mean, 2 / alpha, sign))


def bounds(wins: int, losses: int, pairs: int, alpha: float = ALPHA) -> tuple[float, float]:
    """Give what this look adds to the confidence sequence of pass and fail: the interval that it does not reject."""
    _check(wins, losses, pairs)
    limit, counts = math.log(2 / alpha), (wins, losses, pairs - wins - losses)
    return _interval(lambda mean, sign: _log_worth(counts, mean, sign) >= limit)


def _interval(is_rejected: Callable[[float, int], bool]) -> tuple[float, float]:
    """Give the means that no bet rejects, from below (1) or above (-1); what lies further out is rejected, too."""
    grid = range(-_GRID, _GRID + 1)
    low = bisect_left(grid, True, key=lambda place: not is_rejected(place / _GRID, 1))
    high = bisect_left(grid, True, key=lambda place: is_rejected(place / _GRID, -1)) - 1
    return grid[min(low, len(grid) - 1)] / _GRID, grid[max(high, 0)] / _GRID


def _log_worth(counts: tuple[int, int, int], mean: float, sign: int) -> float:
    """Give the logarithm of what bets are worth that the mean lies above, or with a sign of -1 below, a value."""
    logs = [math.log(weight) for _, weight in _STAKES]
    for place, stake in enumerate(_stakes(mean, sign)):
        for count, difference in zip(counts, (1, -1, 0), strict=True):
            logs[place] += count * math.log(1 + stake * (difference - mean)) if count else 0.0
    most = max(logs)
    return most + math.log(math.fsum(math.exp(one - most) for one in logs))


def _stakes(mean: float, sign: int) -> list[float]:
    room = 1 + sign * mean
    return [sign * min(stake, _MOST_STAKED / room if room > 0 else _MOST_STAKED) for stake, _ in _STAKES]


def _is_rejected(differences: Sequence[float], mean: float, limit: float, sign: int) -> bool:
    """Say whether bets that the mean lies above (or, with a sign of -1, below) ever were worth the limit."""
    stakes = _stakes(mean, sign)
    values = [weight for _, weight in _STAKES]
    for difference in differences:
        away = difference - mean
        values = [value * (1 + stake * away) for value, stake in zip(values, stakes, strict=True)]
        if sum(values) >= limit:
            return True
    return False


def _adaptive_factor(passed: float, arm: int, chance: float, centre: float, stake: float) -> float:
    lift = 2 * stake * centre * (1 - centre)
    rate = centre + (1 - chance) * lift if arm else centre - chance * lift
    return rate / centre if passed else (1 - rate) / (1 - centre)


def _power(base: float, exponent: int) -> float:
    return math.exp(min(exponent * math.log(base), _HIGHEST))


def _log_beta(a: float, b: float) -> float:
    return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)


@cache
def _computed(maximum_pairs: int) -> float:
    """Find the least value that a fair coin's bets reach, at any toss, with a probability of at most 5 %."""
    tosses, low, high = most_discordant(maximum_pairs), 1.0, VILLE
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if reached(middle, tosses) <= ALPHA else (middle, high)
    return high


def reached(value: float, tosses: int, heads: float = 0.5) -> float:
    """Give the probability that bets on a coin are worth a value after one of so many tosses; a fair one, usually."""
    chances, total = [1.0], 0.0
    for toss in range(1, tosses + 1):
        following = [
            tails * (1 - heads) + before * heads for tails, before in zip([*chances, 0.0], [0.0, *chances], strict=True)
        ]
        wins = toss
        while wins >= 0 and superiority(wins, toss - wins) >= value:
            total += following[wins]
            following[wins] = 0.0
            wins -= 1
        chances = following
    return total
