"""The same made-up experiments, judged by our rule and by those that are usual, with a look after each pair.

All are set so that B is promoted by mistake in 5 % at most, by what they promise: where a rule looks for a winner on
either side, it gets 5 % for each. Peeking has no such promise.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, partial

import numpy as np
from numpy.typing import NDArray

from evidence_exact import is_futile, promotes
from loopwright.verify import evidence

MAXIMUM, MINIMUM = evidence.MAXIMUM_PAIRS, evidence.MINIMUM_PAIRS
BOTH = 0.1
"""5 % on each side."""
FIXED = 303
"""Pairs that find ten points at a base rate of one half in 80 of 100, tested once, on one side, at 5 %."""
_BATCH = 2_000
Table = NDArray[np.float64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Pairs:
    """Experiments (rows) after each pair (columns): passes of A and of B, wins and losses of B."""

    a: Table
    b: Table
    wins: NDArray[np.int64]
    losses: NDArray[np.int64]
    count: Table = field(default_factory=lambda: np.arange(1.0, MAXIMUM + 1))

    @property
    def lift(self) -> Table:
        return (self.b - self.a) / self.count

    @property
    def variance(self) -> Table:
        """Of the lift, with the rates as they are seen."""
        a, b = self.a / self.count, self.b / self.count
        return np.maximum((a * (1 - a) + b * (1 - b)) / self.count, 1e-12)


Rule = Callable[[Pairs], tuple[Mask, Mask]]
"""Experiments -> where B is promoted, and where it is over without."""


def ours(pairs: Pairs) -> tuple[Mask, Mask]:
    promoted = promotes(MAXIMUM)[pairs.wins, pairs.losses]
    futile = _futile()[np.arange(MAXIMUM), pairs.wins, pairs.losses]
    return promoted, futile


@cache
def _futile() -> Mask:
    return np.stack([is_futile(count) for count in range(1, MAXIMUM + 1)])


def peeking(pairs: Pairs) -> tuple[Mask, Mask]:
    """p < .05, two proportions, pooled."""
    rate = (pairs.a + pairs.b) / (2 * pairs.count)
    z = pairs.lift / np.sqrt(np.maximum(2 * rate * (1 - rate) / pairs.count, 1e-12))
    return z > 1.959964, z < -1.959964


def fixed(pairs: Pairs) -> tuple[Mask, Mask]:
    """One look, at the end of a sample that was fixed."""
    rate = (pairs.a + pairs.b) / (2 * pairs.count)
    z = pairs.lift / np.sqrt(np.maximum(2 * rate * (1 - rate) / pairs.count, 1e-12))
    at_end = np.broadcast_to(pairs.count == FIXED, z.shape)
    return at_end & (z > 1.644854), at_end


def gbstats(pairs: Pairs, tuning: float) -> tuple[Mask, Mask]:
    """The asymptotic confidence sequence of gbstats (Waudby-Smith and others, equation 9): zero lies outside."""
    width = gbstats_width(pairs.variance, 2 * pairs.count, tuning)
    return pairs.lift > width, pairs.lift < -width


def gbstats_width(variance: Table, units: Table, tuning: float, alpha: float = BOTH) -> Table:
    tuned = (-2 * math.log(alpha) + math.log(-2 * math.log(alpha) + 1)) / tuning
    grown = units * tuned + 1
    return np.sqrt(variance * units) * np.sqrt(2 * grown * np.log(np.sqrt(grown) / alpha) / (units**2 * tuned))


def msprt(pairs: Pairs) -> tuple[Mask, Mask]:
    """The mixture sequential probability ratio test, with lifts of about ten points in mind."""
    lift, variance, prior = pairs.lift, pairs.variance, 0.1**2
    total = variance + prior
    log = 0.5 * np.log(variance / total) + prior * lift**2 / (2 * variance * total)
    crossed = log >= math.log(1 / BOTH)
    return crossed & (lift > 0), crossed & (lift < 0)


def track_and_stop(pairs: Pairs) -> tuple[Mask, Mask]:
    """The stopping rule of track-and-stop, as TensorZero has it."""
    ratio = pairs.lift**2 / (2 * pairs.variance)
    crossed = ratio > np.log((1 + np.log(2 * pairs.count)) / BOTH)
    return crossed & (pairs.lift > 0), crossed & (pairs.lift < 0)


RULES: dict[str, Rule] = {
    "ours": ours,
    "p<.05, peeking": peeking,
    f"fixed, {FIXED}": fixed,
    "gbstats, 5000": partial(gbstats, tuning=5000),
    "gbstats, tuned": partial(gbstats, tuning=2 * MAXIMUM),
    "mSPRT": msprt,
    "track-and-stop": track_and_stop,
}


@dataclass
class Judged:
    """What a rule made of all experiments."""

    promoted: int = 0
    winners: int = 0
    """A or B was declared the better one."""
    pairs: int = 0
    experiments: int = 0

    def add(self, promoted: Mask, over: Mask) -> None:
        at = np.arange(1, MAXIMUM + 1) >= MINIMUM
        ends = (promoted | over) & at
        ends[:, -1] = True
        last = ends.argmax(axis=1)
        rows = np.arange(len(last))
        self.promoted += int((promoted[rows, last]).sum())
        self.winners += int((promoted | over)[rows, last].sum())
        self.pairs += int((last + 1).sum())
        self.experiments += len(last)

    @property
    def share(self) -> float:
        return self.promoted / self.experiments

    @property
    def mean_pairs(self) -> float:
        return self.pairs / self.experiments


def judged(base: float, lift: float, experiments: int, seed: int = 7) -> dict[str, Judged]:
    """Judge the same made-up experiments by all rules."""
    dice = np.random.default_rng(seed)
    found = {name: Judged() for name in RULES}
    for _ in range(experiments // _BATCH):
        shape = (_BATCH, MAXIMUM)
        pairs = _pairs(dice.random(shape) < base, dice.random(shape) < base + lift)
        for name, rule in RULES.items():
            found[name].add(*rule(pairs))
    return found


def rounds(lift_odds: float, experiments: int, a: float, b: float, tasks: int = 40, seed: int = 7) -> Judged:
    """Judge replays of a bank of so many tasks, in rounds: tasks of pass rates spread as Beta(a, b) come again."""
    dice, found = np.random.default_rng(seed), Judged()
    for _ in range(experiments // _BATCH):
        rates = np.tile(dice.beta(a, b, (_BATCH, tasks)), (1, MAXIMUM // tasks))
        better = rates * lift_odds / (1 - rates + rates * lift_odds)
        pairs = _pairs(dice.random(rates.shape) < rates, dice.random(rates.shape) < better)
        found.add(*ours(pairs))
    return found


def _pairs(a: Mask, b: Mask) -> Pairs:
    def total(of: Mask) -> NDArray[np.int64]:
        return np.cumsum(of, axis=1, dtype=np.int64)

    return Pairs(total(a).astype(float), total(b).astype(float), total(b & ~a), total(a & ~b))
