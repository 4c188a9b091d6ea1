"""Counts of passes, failures and cost -> the arm for the next task, with the probability that each arm had.

Thompson sampling for each task type. What other types have seen of an arm counts as well: in full where types do not
differ, less the more they do, so that splitting by type never costs what it can't win. Where outcomes and counts are
kept is left to others: nothing here has a store or a clock.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from loopwright.records.choice import Choice, Counts, Table

KEPT = 0.1
"""What is left of an arm's counts when its model is known to have changed."""
FLOOR = 0.001
"""No arm is ever quite given up: an arm that changed unknown to us is found again, and no propensity is zero."""
_REACH = (-4.0, -3.0, -2.25, -1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5, 2.25, 3.0, 4.0)
"""Where each arm is looked at, in deviations from its mean."""
_EDGE = 1e-6
_MOST_RUNS = 100_000.0
"""More than enough to tell arms apart; and no overflow."""


def changed(counts: Table, arm: str) -> Table:
    """Cut the counts of an arm whose model is known to have changed."""
    return {key: known * KEPT if key[1] == arm else known for key, known in counts.items()}


def counted(counts: Table, choice: Choice, cost: float, newest: Choice | None) -> Table:
    """Count what came of a choice; `newest` is the newest one of the same arm that has come out before.

    An arm that runs another model now begins nearly anew, and what an older model still brings in counts little.
    """
    other = newest is not None and bool(choice.model and newest.model) and choice.model != newest.model
    is_late = newest is not None and choice.at < newest.at
    known = dict(changed(counts, choice.arm)) if other and not is_late else dict(counts)
    seen = Counts(float(bool(choice.passed)), float(not choice.passed), cost) * (KEPT if other and is_late else 1.0)
    key = (choice.task_type, choice.arm)
    return {**known, key: known.get(key, Counts()) + seen}


def choose(counts: Table, task_type: str, arms: Sequence[str], chance: random.Random, price: float = 0.0) -> Choice:
    """Choose one of the arms for a task; the price says how many passes a dollar is worth."""
    chances = propensities(counts, task_type, arms, price)
    # Drawn from what is logged, so the log is exact, however good the integral is.
    (arm,) = chance.choices(list(chances), list(chances.values()))
    return Choice(task_type, arm, chances)


def propensities(counts: Table, task_type: str, arms: Sequence[str], price: float = 0.0) -> dict[str, float]:
    """Give for each arm the probability that it is the best for the type, as far as the counts tell."""
    if not arms:
        raise ValueError("There is no arm to choose from: at least one is needed")
    by_arm, differ, arms = _by_arm(counts), spread(counts), list(dict.fromkeys(arms))
    pooled = [_pooled(by_arm.get(arm, {}), task_type, differ) for arm in arms]
    total = sum(pooled, Counts())
    usual_cost = total.cost / max(total.runs, _EDGE)
    best = _chances_of_being_best([_Belief.of(known, usual_cost, price) for known in pooled])
    floor = min(FLOOR, 1 / len(arms))
    return {arm: floor + (1 - floor * len(arms)) * chance for arm, chance in zip(arms, best, strict=True)}


def spread(counts: Table) -> float:
    """Estimate how much task types differ for the same arm: 0 is not at all, 1 is as much as can be.

    The share of the variance that lies between types (moments of the beta-binomial), over all arms together, less one
    deviation of what chance alone makes of it: types that are alike would else be taken for different half of the time.
    """
    excess = room = freedom = 0.0
    for types in _by_arm(counts).values():
        total = sum(types.values(), Counts())
        rate = (total.passes + 0.5) / (total.runs + 1)
        off = math.fsum(known.runs * (known.passes / known.runs - rate) ** 2 for known in types.values())
        excess += off / (rate * (1 - rate)) - (len(types) - 1)
        freedom += len(types) - 1
        room += total.runs - math.fsum(known.runs**2 for known in types.values()) / total.runs
    excess -= math.sqrt(2 * freedom)
    return min(max(excess / room, 0.0), 1.0) if room > 0 else 0.0


def _by_arm(counts: Table) -> dict[str, dict[str, Counts]]:
    grouped: dict[str, dict[str, Counts]] = {}
    for (task_type, arm), known in counts.items():
        if known.runs > 0:
            grouped.setdefault(arm, {})[task_type] = known
    return grouped


def _pooled(types: Mapping[str, Counts], task_type: str, differ: float) -> Counts:
    """Add what other types have seen of an arm to what this one has, less the more types differ."""
    others = [known for name, known in types.items() if name != task_type]
    total = sum(others, Counts())
    # The variance of this type's rate, before its own runs: of the others' mean, and of types around it.
    share = 1 / (1 + total.runs * differ * (1 + 1 / len(others))) if others else 0.0
    return types.get(task_type, Counts()) + total * share


@dataclass(frozen=True)
class _Belief:
    """A Beta distribution of the pass rate, moved down by what a run costs."""

    a: float
    b: float
    down: float

    @classmethod
    def of(cls, known: Counts, usual_cost: float, price: float) -> _Belief:
        """Make a belief of counts; where the cost is uncertain, less is made of them."""
        cost = (known.cost + usual_cost) / (known.runs + 1)  # one run at the usual cost, to begin with
        plain = cls(1 + known.passes, 1 + known.failures, price * cost)
        of_cost = plain.down**2 / (known.runs + 1)
        sure = min(plain.deviation**2 / (plain.deviation**2 + of_cost), _MOST_RUNS / max(known.runs, 1.0))
        return cls(1 + known.passes * sure, 1 + known.failures * sure, plain.down)

    @property
    def mean(self) -> float:
        return self.a / (self.a + self.b)

    @property
    def deviation(self) -> float:
        total = self.a + self.b
        return math.sqrt(self.a * self.b / (total * total * (total + 1)))

    def places(self) -> list[float]:
        """Give values at which it is worth looking."""
        mean, deviation = self.mean, self.deviation
        rates = (mean + reach * deviation for reach in _REACH)
        return [min(max(rate, _EDGE), 1 - _EDGE) - self.down for rate in rates]

    def below(self, places: Sequence[float]) -> list[float]:
        """Give the probability of being below each of the places."""
        log = math.lgamma(self.a + self.b) - math.lgamma(self.a) - math.lgamma(self.b)
        heights = [self._height(place + self.down, log) for place in places]
        total, sums = 0.0, [0.0]
        for (low, high), (left, right) in zip(pairwise(places), pairwise(heights), strict=True):
            total += (left + right) / 2 * (high - low)
            sums.append(total)
        return [value / total for value in sums]

    def _height(self, rate: float, log: float) -> float:
        if not 0 < rate < 1:
            return 0.0
        return math.exp(log + (self.a - 1) * math.log(rate) + (self.b - 1) * math.log1p(-rate))


def _chances_of_being_best(beliefs: Sequence[_Belief]) -> list[float]:
    """Integrate, over the values of each arm, the probability that all others are below."""
    places = sorted({place for belief in beliefs for place in belief.places()})
    below = [belief.below(places) for belief in beliefs]
    chances = [0.0] * len(beliefs)
    for index in range(1, len(places)):
        middles = [(values[index - 1] + values[index]) / 2 for values in below]
        product = math.prod(middles)
        for arm, values in enumerate(below):
            step = values[index] - values[index - 1]
            if step > 0 and middles[arm] > 0:
                chances[arm] += step * product / middles[arm]
    total = math.fsum(chances)
    return [chance / total for chance in chances]
