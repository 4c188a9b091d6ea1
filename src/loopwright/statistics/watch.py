"""Outcomes as they come -> evidence that their rate fell below a baseline; it may be looked at after each of them.

The e-process against "the rate is at least p0": a mixture of bets, Π(1 - λ(y - p0)). As long as the rate is p0 or more,
it ever reaches 20 with a probability of 1 in 20 at most, however often one looks.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

ALARM = 20.0
"""So much evidence counts."""
WARNING = 10.0
_BETS = ((0.1, 0.1), (0.2, 0.3), (0.4, 0.3), (0.8, 0.2), (1.2, 0.1))
"""How much is bet, and the share of the stake that does so."""
_NEAR_ALL = 0.95
_HIGHEST = 500.0
"""As a logarithm: more than enough, and no overflow."""


@dataclass
class Watch:
    """Looks on at outcomes from 0 to 1, such as passes, with a baseline in mind."""

    p0: float
    """What the rate should be at least, from 0 to 1."""
    _bets: Sequence[float] = field(init=False, repr=False)
    _logs: list[float] = field(init=False, repr=False)
    late: list[float] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._bets = _bets(self.p0)
        self._logs = [0.0] * len(_BETS)
        self.late = [0.0] * len(_BETS)

    @property
    def evidence(self) -> float:
        """How much speaks for a fall that was there from the start."""
        return math.fsum(
            share * math.exp(min(log, _HIGHEST)) for log, (_, share) in zip(self._logs, _BETS, strict=True)
        )

    @property
    def late_evidence(self) -> float:
        """The same for a fall that came at any time since (Shiryaev, Roberts): false once in so many outcomes."""
        return late_evidence(self.late)

    def see(self, outcome: float) -> float:
        """Take the next outcome; give the evidence."""
        for place, bet in enumerate(self._bets):
            factor = 1 - bet * (outcome - self.p0)
            self._logs[place] += math.log(factor)
            self.late[place] = min((self.late[place] + 1) * factor, math.exp(_HIGHEST))
        return self.evidence


def seen_late(late: Sequence[float], outcome: float, p0: float) -> list[float]:
    """Give what each bet on a fall at any time is worth after one more outcome; `late_evidence` adds them up."""
    watch = Watch(p0)
    watch.late = list(late) or watch.late
    watch.see(outcome)
    return watch.late


def late_evidence(late: Sequence[float]) -> float:
    """Give how much speaks for a fall at any time."""
    return math.fsum(share * value for value, (_, share) in zip(late, _BETS, strict=True)) if late else 0.0


def growth(p0: float, rate: float) -> float:
    """Give by how much the logarithm of the evidence grows with an outcome, by the bet that is best for this rate."""
    return max(rate * math.log1p(-bet * (1 - p0)) + (1 - rate) * math.log1p(bet * p0) for bet in _bets(p0))


def evidence(outcomes: Iterable[float], p0: float) -> float:
    """Give the evidence of a series of outcomes."""
    watch = Watch(p0)
    for outcome in outcomes:
        watch.see(outcome)
    return watch.evidence


def evidence_of_counts(hits: int, tries: int, p0: float) -> float:
    """Give the evidence of outcomes that are yes or no: their order does not matter."""
    total = 0.0
    for bet, (_, share) in zip(_bets(p0), _BETS, strict=True):
        log = hits * math.log1p(-bet * (1 - p0)) + (tries - hits) * math.log1p(bet * p0)
        total += share * math.exp(min(log, _HIGHEST))
    return total


def _bets(p0: float) -> tuple[float, ...]:
    """Give what is bet: never so much that all could be lost at once."""
    most = _NEAR_ALL / (1 - p0) if p0 < 1 else math.inf
    return tuple(min(bet, most) for bet, _ in _BETS)
