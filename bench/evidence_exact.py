"""What our rules come to, without chance: every way that pairs and outcomes can go, with its probability."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from loopwright.statistics.intervals import lower_bound
from loopwright.statistics.watch import ALARM, evidence_of_counts
from loopwright.verify import evidence

DEVIATIONS = 8.0
"""What lies further from the mean is left out, counted, and added to the errors."""
Table = NDArray[np.float64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Course:
    """How experiments of one kind go, with a look after each pair."""

    promoted: float
    """The probability that B is promoted, at any look."""
    pairs: float
    """Until a decision, on average."""
    left_out: float
    """The probability of what was not followed: very little."""


def independent(base: float, lift: float) -> tuple[float, float]:
    """Give the probabilities that B wins and loses a pair of two tasks that have nothing in common."""
    return (base + lift) * (1 - base), base * (1 - base - lift)


def course(wins: float, losses: float, maximum: int = evidence.MAXIMUM_PAIRS) -> Course:
    """Follow all experiments whose pairs B wins and loses with these probabilities."""
    size = _size(maximum, max(wins, losses))
    chances, promoted, pairs, ended = np.zeros((size, size)), 0.0, 0.0, 0.0
    chances[0, 0] = 1.0
    for count in range(1, maximum + 1):
        chances = _next(chances, wins, losses)
        if count >= evidence.MINIMUM_PAIRS:
            better = _take(chances, promotes(maximum)[:size, :size])
            none = float(chances.sum()) if count == maximum else _take(chances, is_futile(count)[:size, :size])
            promoted, pairs, ended = promoted + better, pairs + count * (better + none), ended + better + none
    return Course(promoted, pairs, max(1 - ended, 0.0))


def _size(maximum: int, rate: float) -> int:
    reach = maximum * rate + DEVIATIONS * math.sqrt(maximum * rate * (1 - rate)) + DEVIATIONS
    return min(math.ceil(reach), maximum) + 1


def _next(chances: Table, wins: float, losses: float) -> Table:
    following = chances * (1 - wins - losses)
    following[1:] += chances[:-1] * wins
    following[:, 1:] += chances[:, :-1] * losses
    return following


def _take(chances: Table, where: Mask) -> float:
    taken = float(chances[where].sum())
    chances[where] = 0.0
    return taken


@cache
def promotes(maximum: int) -> Mask:
    """Say for all wins and losses whether the evidence promotes."""
    most, wanted = evidence.most_discordant(maximum), evidence.threshold(maximum)
    found = np.zeros((maximum + 1, maximum + 1), dtype=bool)
    for losses in range(most + 1):
        for wins in range(most - losses, -1, -1):
            if evidence.superiority(wins, losses) < wanted:
                break  # with fewer wins there is less of it
            found[wins, losses] = True
    return found


@cache
def is_futile(pairs: int, maximum: int = evidence.MAXIMUM_PAIRS) -> Mask:
    """Say for all wins and losses of so many pairs whether a lift is out of the question."""
    found = np.zeros((maximum + 1, maximum + 1), dtype=bool)
    losses = 0
    for wins in range(pairs + 1):
        while losses <= pairs - wins and evidence.futility(wins, losses, pairs) < evidence.FUTILE:
            losses += 1  # with more wins, it takes more losses
        found[wins, losses : pairs - wins + 1] = True
    return found


def replayed(a: float, b: float, lift: float) -> tuple[float, float]:
    """Give the probabilities of wins and losses on tasks whose pass rates are spread as Beta(a, b).

    The same tasks are done by both arms. B is better by the same odds on each, so that the mean is so much higher.
    """
    rates = (np.arange(20_000) + 0.5) / 20_000
    weights = rates ** (a - 1) * (1 - rates) ** (b - 1)
    weights /= weights.sum()
    odds = rates / (1 - rates)
    low, high = 1.0, 100.0
    for _ in range(60):
        middle = math.sqrt(low * high)
        better = odds * middle / (1 + odds * middle)
        low, high = (middle, high) if float(weights @ (better - rates)) < lift else (low, middle)
    return float(weights @ (better * (1 - rates))), float(weights @ (rates * (1 - better)))


Limit = Callable[[int, int], int]
"""A baseline's hits and how many outcomes -> with at most so many hits among them it is rolled back; -1 is never."""


def rolled_back(rate: float, now: float, tasks: int, limit: Limit, runs: int = 100) -> float:
    """Give the probability of a rollback within so many tasks, over all baselines of so many runs at the first rate."""
    total = 0.0
    for hits in range(runs + 1):
        weight = math.comb(runs, hits) * rate**hits * (1 - rate) ** (runs - hits)
        if weight > 1e-9:
            total += weight * _crossed(now, tasks, tuple(limit(hits, count) for count in range(1, tasks + 1)))
    return total


@cache
def _crossed(rate: float, tasks: int, limits: tuple[int, ...]) -> float:
    chances, found = np.zeros(tasks + 1), 0.0
    chances[0] = 1.0
    for limit in limits:
        following = chances * (1 - rate)
        following[1:] += chances[:-1] * rate
        chances = following
        if limit >= 0:
            found += float(chances[: limit + 1].sum())
            chances[: limit + 1] = 0.0
    return found


def by_evidence(runs: int = 100) -> Limit:
    """Roll back as we do: evidence that the rate is below the lower bound of the baseline."""
    return lambda hits, count: _limits(lower_bound(hits, runs))[count - 1]


@cache
def _limits(p0: float, most: int = 1000) -> tuple[int, ...]:
    found, hits = [], -1
    for count in range(1, most + 1):
        while hits + 1 <= count and evidence_of_counts(hits + 1, count, p0) >= ALARM:
            hits += 1
        found.append(hits)
    return tuple(found)


def by_mean(runs: int = 100, minimum: int = 30, down: float = 0.05) -> Limit:
    """Roll back as is usual: once the mean is five points down."""
    return lambda hits, count: -1 if count < minimum else math.ceil((hits / runs - down) * count - 1e-9) - 1
