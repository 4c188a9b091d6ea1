"""What choosing among arms costs while it learns: ours, and what is usual, on the same made-up tasks."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from statistics import fmean, stdev

from loopwright.records.choice import Choice, Table
from loopwright.verify.bandit import choose, counted

ARMS, CATEGORIES, TASKS = 5, 5, 2_000
DELAY = 40
"""So many tasks are at work at once: their outcomes are not known yet."""
Rates = Sequence[Sequence[float]]
Policy = Callable[[int], int]
"""A category -> an arm."""
Tell = Callable[[int, int, bool], None]
NAMES = [f"arm-{arm}" for arm in range(ARMS)]


@dataclass
class Tally:
    """Passes and tries of each category and arm."""

    tries: list[list[int]] = field(default_factory=lambda: [[0] * ARMS for _ in range(CATEGORIES)])
    passes: list[list[int]] = field(default_factory=lambda: [[0] * ARMS for _ in range(CATEGORIES)])

    def tell(self, category: int, arm: int, passed: bool) -> None:
        self.tries[category][arm] += 1
        self.passes[category][arm] += passed

    def mean(self, category: int, arm: int) -> float:
        return self.passes[category][arm] / max(self.tries[category][arm], 1)


def uniform(chance: random.Random) -> tuple[Policy, Tell]:
    return lambda _category: chance.randrange(ARMS), lambda *_told: None


def ucb1(_chance: random.Random) -> tuple[Policy, Tell]:
    tally = Tally()

    def pick(category: int) -> int:
        tries = tally.tries[category]
        if 0 in tries:
            return tries.index(0)
        seen = 2 * math.log(sum(tries))
        return max(range(ARMS), key=lambda arm: tally.mean(category, arm) + math.sqrt(seen / tries[arm]))

    return pick, tally.tell


def epsilon_greedy(chance: random.Random) -> tuple[Policy, Tell]:
    tally = Tally()

    def pick(category: int) -> int:
        if chance.random() < 0.1:
            return chance.randrange(ARMS)
        return max(range(ARMS), key=lambda arm: (tally.mean(category, arm), chance.random()))

    return pick, tally.tell


def track_and_stop(_chance: random.Random) -> tuple[Policy, Tell]:
    """Fill arms as it takes to find the best one soonest; once it is found, play it."""
    tally, found = Tally(), dict[int, int]()

    def pick(category: int) -> int:
        tries = tally.tries[category]
        if min(tries) < max(10, math.sqrt(sum(tries)) - ARMS / 2):
            return tries.index(min(tries))
        if category not in found and _is_found(tally, category):
            found[category] = _leader(tally, category)
        if category in found:
            return found[category]
        wanted = _proportions(tally, category)
        return max(range(ARMS), key=lambda arm: wanted[arm] * sum(tries) - tries[arm])

    return pick, tally.tell


def _leader(tally: Tally, category: int) -> int:
    return max(range(ARMS), key=lambda arm: tally.mean(category, arm))


def _proportions(tally: Tally, category: int) -> list[float]:
    leader = _leader(tally, category)
    gaps = [max(tally.mean(category, leader) - tally.mean(category, arm), 0.02) for arm in range(ARMS)]
    shares = [gap**-2 for gap in gaps]
    shares[leader] = math.sqrt(math.fsum(share * share for arm, share in enumerate(shares) if arm != leader))
    return [share / math.fsum(shares) for share in shares]


def _is_found(tally: Tally, category: int) -> bool:
    leader, tries = _leader(tally, category), tally.tries[category]
    limit = math.log((1 + math.log(sum(tries))) / 0.05)
    means = [tally.mean(category, arm) for arm in range(ARMS)]
    spreads = [max(mean * (1 - mean), 1e-12) / count for mean, count in zip(means, tries, strict=True)]
    return all(
        (means[leader] - means[arm]) ** 2 / (2 * (spreads[leader] + spreads[arm])) > limit
        for arm in range(ARMS)
        if arm != leader
    )


def ours(chance: random.Random) -> tuple[Policy, Tell]:
    return _thompson(chance, lambda category: str(category))


def one_for_all(chance: random.Random) -> tuple[Policy, Tell]:
    """Learn one arm for all categories: what finds the best fixed arm."""
    return _thompson(chance, lambda _category: "all")


def alone(chance: random.Random) -> tuple[Policy, Tell]:
    """Let each category learn alone."""
    each = [_thompson(chance, str) for _ in range(CATEGORIES)]
    return lambda category: each[category][0](category), lambda category, arm, passed: each[category][1](
        category, arm, passed
    )


def _thompson(chance: random.Random, task_type: Callable[[int], str]) -> tuple[Policy, Tell]:
    counts: Table = {}

    def pick(category: int) -> int:
        return NAMES.index(choose(counts, task_type(category), NAMES, chance).arm)

    def tell(category: int, arm: int, passed: bool) -> None:
        nonlocal counts
        counts = counted(counts, Choice(task_type(category), NAMES[arm], {}, passed=passed), 0.0, None)

    return pick, tell


POLICIES = {
    "ours": ours,
    "one arm for all": one_for_all,
    "each category alone": alone,
    "ε-greedy (.1)": epsilon_greedy,
    "UCB1": ucb1,
    "track-and-stop": track_and_stop,
    "uniform": uniform,
}


def differ(dice: random.Random) -> Rates:
    """Give rates of categories that have nothing to do with each other."""
    return [[dice.uniform(0.3, 0.9) for _ in range(ARMS)] for _ in range(CATEGORIES)]


def alike(dice: random.Random) -> Rates:
    """Give the same rates for all categories."""
    return [[dice.uniform(0.3, 0.9) for _ in range(ARMS)]] * CATEGORIES


def related(dice: random.Random) -> Rates:
    """Give rates that an arm has in common, with ten points more or less in each category."""
    usual = [dice.uniform(0.4, 0.8) for _ in range(ARMS)]
    return [[min(max(dice.gauss(rate, 0.1), 0.02), 0.98) for rate in usual] for _ in range(CATEGORIES)]


SCENES = {"categories differ": differ, "related": related, "alike": alike}


@dataclass
class Loss:
    """What a policy lost against the best arm of each category, of each made-up world."""

    losses: list[float] = field(default_factory=list)

    @property
    def mean(self) -> float:
        return fmean(self.losses)

    @property
    def error(self) -> float:
        return stdev(self.losses) / math.sqrt(len(self.losses))


def regret(name: str, rates: Rates, seed: int, delay: int = 0) -> float:
    """Give how many passes are lost against the best arm of each category."""
    dice, (pick, tell) = random.Random(seed), POLICIES[name](random.Random(seed + 1))
    lost, at_work = 0.0, list[tuple[int, int, bool]]()
    for _ in range(TASKS):
        category = dice.randrange(CATEGORIES)
        arm = pick(category)
        lost += max(rates[category]) - rates[category][arm]
        at_work.append((category, arm, dice.random() < rates[category][arm]))
        if len(at_work) > delay:
            tell(*at_work.pop(0))
    return lost


def best_fixed(rates: Rates) -> float:
    """Give what the arm that is best on the whole loses: nobody knows it beforehand."""
    ideal = fmean(max(row) for row in rates)
    return TASKS * (ideal - max(fmean(row[arm] for row in rates) for arm in range(ARMS)))


def compare(scene: str, worlds: int, names: Sequence[str], delay: int = 0) -> dict[str, Loss]:
    """Let policies work in the same worlds."""
    found = {name: Loss() for name in [*names, "best fixed arm"]}
    for number, rates in enumerate(_worlds(scene, worlds)):
        for name in names:
            found[name].losses.append(regret(name, rates, 1000 * number + 7, delay))
        found["best fixed arm"].losses.append(best_fixed(rates))
    return found


def _worlds(scene: str, count: int) -> Iterator[Rates]:
    for number in range(count):
        yield SCENES[scene](random.Random(number))
