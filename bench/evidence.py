"""Is the evidence honest, and what does honesty cost? Exact where it can be, else simulated with a seed.

`python bench/evidence.py` prints tables side by side and the figures to reach, some minutes; `--quick` takes about
one on a core of its own. gbstats is judged by its published formula; where the package is installed, the formula is
held against it.
"""

from __future__ import annotations

import argparse
import importlib.util
import random
import sys
import time
from collections.abc import Callable, Iterator
from functools import cache

import numpy as np

import evidence_bandits as bandits
import evidence_rules as rules
from evidence_exact import Course, by_evidence, by_mean, course, independent, replayed, rolled_back
from evidence_watch import watched
from loopwright.records.choice import Counts
from loopwright.verify import evidence
from loopwright.verify.bandit import choose

BASES, LIFTS = (0.3, 0.5, 0.7, 0.9), (0.0, 0.05, 0.1, 0.2)
SPREADS = {"a third": (1.0, 1.0), "half": (0.5, 0.5), "two thirds": (0.25, 0.25)}
"""How much of the variance of outcomes lies between tasks -> Beta distribution of their pass rates."""
MODERATE = "half"
MAXIMA = (30, 50, 100, 200, 300, 600)
DAYS = (50, 200, 1_000)
FALLS = (0.0, 0.05, 0.1, 0.2)
MAX_ERROR, MIN_POWER, MAX_PAIRS, MAX_REPLAYED, MAX_NONE = 0.05, 0.80, 225, 160, 175
MAX_REGRET, MAX_ROLLBACKS, MAX_MS = 0.30, 0.05, 1.0
WORLDS = 30
NOISE = 2.0
"""Deviations that count as noise."""


def measure() -> list[str]:
    """Give the figures to reach, the quick way."""
    return [*exact_figures(), *bandit_figures(quick=True)]


def exact_figures() -> Iterator[str]:
    """Give those that no chance is in."""
    bases = [share / 20 for share in range(1, 20)]
    errors = {base: _course(base, 0.0) for base in bases}
    worst = max(bases, key=lambda base: errors[base].promoted)
    error = errors[worst].promoted + errors[worst].left_out
    yield _most("false promotions, a look at each of 600 pairs", error, MAX_ERROR, f" at base {worst:.2f}, the worst")
    bound = evidence.reached(evidence.threshold(600), evidence.most_discordant(600))
    yield _most("false promotions, whatever the tasks", bound, MAX_ERROR, " at most")
    ten = _course(0.5, 0.1)
    yield _pairs("+10 points at base .5: pairs to a decision", ten, MAX_PAIRS)
    again = course(*replayed(*SPREADS[MODERATE], 0.1))
    yield _pairs(f"+10 points, replayed, {MODERATE} between tasks: pairs", again, MAX_REPLAYED)
    none = max(errors[base].pairs for base in bases)
    yield _row(
        "no difference: pairs until it is said", f"{none:.0f}, at the worst base", f"{MAX_NONE}", none <= MAX_NONE
    )
    for tasks in DAYS:
        false = max(rolled_back(rate, rate, tasks, by_evidence()) for rate in BASES)
        yield _most(f"false rollbacks in a day of {tasks:,} tasks", false, MAX_ROLLBACKS, ", at the worst base")
        both = max(watched(rate, rate, tasks) for rate in BASES)
        yield _most("  with evidence of a late fall, as it ships", both, MAX_ROLLBACKS, ", at the worst base")


def bandit_figures(quick: bool) -> Iterator[str]:
    """Give what the bandit loses."""
    for scene in bandits.SCENES:
        found = _losses(scene, quick)
        share = found["ours"].mean / found["uniform"].mean
        yield _row(f"bandit, {scene}: regret over uniform", f"{share:.3f}", f"{MAX_REGRET:.2f}", share <= MAX_REGRET)
    ours, one = _losses("alike", quick)["ours"], _losses("alike", quick)["one arm for all"]
    more = bandits.Loss([a - b for a, b in zip(ours.losses, one.losses, strict=True)])
    told = f"{more.mean:+.1f} passes of {bandits.TASKS:,}"
    noise = NOISE * more.error  # of the same worlds, pair by pair
    yield _row("bandit, alike: lost against learning one arm", told, f"noise, {noise:.1f}", more.mean <= noise)
    chance = NOISE * (bandits.TASKS * 0.25) ** 0.5
    told = f"{ours.mean:.1f} passes of {bandits.TASKS:,}"
    yield _row("bandit, alike: lost against the best arm, known", told, f"noise, {chance:.0f}", ours.mean <= chance)
    took = _choice_ms()
    yield _row("a choice, 5 arms, 5 task types", f"{took:.2f} ms", f"{MAX_MS:.0f} ms", took <= MAX_MS)


def tables(quick: bool) -> Iterator[str]:
    """Give all that is printed side by side."""
    experiments = 2_000 if quick else 20_000
    yield from _rules_tables(experiments)
    yield from _replay_table(experiments)
    yield from _smallest_table()
    yield from _bandit_table(quick)
    yield from _rollback_table()


def _rules_tables(experiments: int) -> Iterator[str]:
    cells = [(base, lift) for lift in LIFTS for base in BASES if base + lift <= 1]
    judged = {cell: rules.judged(*cell, experiments) for cell in cells}
    head = f"{'lift':>5} {'base':>5} {'ours, exact':>15}" + "".join(f"{name:>16}" for name in rules.RULES)
    yield f"\nB is promoted, in % of {experiments:,} experiments of at most 600 pairs, a look each (lift 0: error)"
    yield head
    for cell in cells:
        yield _line(cell, 100 * _course(*cell).promoted, [100 * found.share for found in judged[cell].values()])
    yield "\npairs until a decision, on average"
    yield head
    for cell in cells:
        yield _line(cell, _course(*cell).pairs, [found.mean_pairs for found in judged[cell].values()])
    peeked = [judged[base, 0.0]["p<.05, peeking"] for base in BASES]
    either = max(found.winners / found.experiments for found in peeked)
    yield f"\nwithout any difference, p < .05 with peeking declares A or B the winner in up to {either:.0%}"
    yield _about_gbstats()


def _line(cell: tuple[float, float], exact: float, others: list[float]) -> str:
    base, lift = cell
    return f"{lift * 100:>+5.0f} {base:>5.1f} {exact:>15.1f}" + "".join(f"{value:>16.1f}" for value in others)


def _about_gbstats() -> str:
    if importlib.util.find_spec("gbstats") is None:
        return "gbstats is not installed: its published formula is used, unchecked (pip install gbstats)"
    from gbstats.frequentist.tests import SequentialConfig, SequentialTwoSidedTTest
    from gbstats.models.statistics import ProportionStatistic

    furthest = 0.0
    for n, a, b in ((50, 20, 30), (200, 100, 121), (600, 500, 530)):
        config = SequentialConfig(alpha=rules.BOTH, difference_type="absolute", sequential_tuning_parameter=1200)
        test = SequentialTwoSidedTTest(ProportionStatistic(n=n, sum=a), ProportionStatistic(n=n, sum=b), config)
        low, high = test.confidence_interval
        variance = np.float64((a * (n - a) + b * (n - b)) / n**3)
        ours = rules.gbstats_width(variance, np.float64(2 * n), 1200)
        furthest = max(furthest, abs((high - low) / 2 - float(ours)))
    return f"gbstats is installed: its intervals and the formula used here agree to {furthest:.0e}"


def _replay_table(experiments: int) -> Iterator[str]:
    yield "\nthe same tasks done by both, base .5: how much of the variance lies between tasks (exact)"
    yield f"{'between':>12}{'discordant':>12}{'error %':>10}{'power +10':>11}{'pairs +10':>11}{'pairs, none':>13}"
    for name, spread in SPREADS.items():
        wins, losses = replayed(*spread, 0.1)
        none, ten = course(*replayed(*spread, 0.0)), course(wins, losses)
        first = f"{name:>12}{wins + losses:>12.2f}{100 * none.promoted:>10.1f}"
        yield f"{first}{100 * ten.promoted:>11.1f}{ten.pairs:>11.0f}{none.pairs:>13.0f}"
    none, better = (rules.rounds(odds, experiments, *SPREADS[MODERATE]) for odds in (1.0, 2.25))
    yield (
        f"a bank of 40 tasks, in 15 rounds, {MODERATE} between (simulated): error {none.share:.1%}; "
        f"odds 2.25 times as good: promoted {better.share:.0%}, {better.mean_pairs:.0f} pairs"
    )


def _smallest_table() -> Iterator[str]:
    yield "\nthe smallest lift that is found in 8 of 10 experiments, in points, at base .5 (exact)"
    yield f"{'at most, pairs':>16}{'any two tasks':>16}{'the same tasks':>16}"
    for maximum in MAXIMA:
        apart = _smallest(lambda lift: independent(0.5, lift), maximum)
        yield f"{maximum:>16}{apart:>16}{_smallest(lambda lift: replayed(*SPREADS[MODERATE], lift), maximum):>16}"


def _smallest(chances: Callable[[float], tuple[float, float]], maximum: int) -> int:
    low, high = 1, 50  # in points
    while low < high:
        middle = (low + high) // 2
        found = course(*chances(middle / 100), maximum).promoted >= MIN_POWER
        low, high = (low, middle) if found else (middle + 1, high)
    return low


def _bandit_table(quick: bool) -> Iterator[str]:
    scenes = {scene: _losses(scene, quick) for scene in bandits.SCENES}
    worlds = len(next(iter(scenes.values()))["ours"].losses)
    yield f"\npasses lost in 2,000 tasks, 5 arms, 5 categories (mean of {worlds} worlds ± error; share of uniform's)"
    yield f"{'':<26}" + "".join(f"{scene:>26}" for scene in scenes)
    for name in next(iter(scenes.values())):
        cells = [(found[name], found["uniform"].mean) for found in scenes.values()]
        yield f"{name:<26}" + "".join(
            f"{loss.mean:>12.1f} ± {loss.error:<5.1f}{loss.mean / all_:.3f} " for loss, all_ in cells
        )


def _rollback_table() -> Iterator[str]:
    yield "\nrolled back within a day, in % (exact; base .7; the baseline has 100 runs, or 1,000)"
    yield f"{'tasks':>7}{'rule':>26}" + "".join(
        f"{'unchanged' if not fall else f'-{fall * 100:.0f}':>12}" for fall in FALLS
    )
    for tasks in DAYS:
        for name, runs, limit in (
            ("ours, 100", 100, by_evidence(100)),
            ("ours, 1,000", 1000, by_evidence(1000)),
            ("mean 5 points down, 100", 100, by_mean(100)),
            ("mean 5 points down, 1,000", 1000, by_mean(1000)),
        ):
            cells = [rolled_back(0.7, 0.7 - fall, tasks, limit, runs) for fall in FALLS]
            yield f"{tasks:>7,}{name:>26}" + "".join(f"{100 * cell:>12.1f}" for cell in cells)
        shipped = [watched(0.7, 0.7 - fall, tasks) for fall in FALLS]
        yield f"{tasks:>7,}{'as it ships, simulated':>26}" + "".join(f"{100 * cell:>12.1f}" for cell in shipped)


@cache
def _course(base: float, lift: float) -> Course:
    return course(*independent(base, lift))


@cache
def _losses(scene: str, quick: bool) -> dict[str, bandits.Loss]:
    names = ["ours", "one arm for all", "uniform"] if quick else list(bandits.POLICIES)
    found = bandits.compare(scene, 3 if quick else WORLDS, names)
    if not quick:
        late = bandits.compare(scene, WORLDS, ["ours"], bandits.DELAY)["ours"]
        found = {"ours": found["ours"], f"ours, {bandits.DELAY} outstanding": late, **found}
    return found


def _choice_ms(rounds: int = 200) -> float:
    dice = random.Random(7)
    counts = {
        (str(category), arm): Counts(dice.randint(0, 90), dice.randint(0, 90), dice.uniform(0, 90))
        for category in range(bandits.CATEGORIES)
        for arm in bandits.NAMES
    }
    began = time.process_time()
    for _ in range(rounds):
        choose(counts, "0", bandits.NAMES, dice, 0.05)
    return (time.process_time() - began) * 1000 / rounds


def _most(what: str, share: float, most: float, more: str = "") -> str:
    return _row(what, f"{share:.2%}{more}", f"{most:.1%}", share <= most)


def _pairs(what: str, found: Course, most: int) -> str:
    told, wanted = f"{found.pairs:.0f}, power {found.promoted:.2f}", f"{most}, power {MIN_POWER:.2f}"
    return _row(what, told, wanted, found.pairs <= most and found.promoted >= MIN_POWER)


def _row(what: str, measured: str, allowed: str, good: bool) -> str:
    return f"{what}|{measured}|{allowed}|{'ok' if good else 'OVER'}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer simulations: about a minute on a core of its own")
    quick = parser.parse_args().quick
    for line in tables(quick):
        print(line, flush=True)
    print(f"\n{'what':<58}{'measured':<36}{'to reach':<18}")
    missed = False
    for row in [*exact_figures(), *bandit_figures(quick)]:
        what, measured, allowed, state = row.split("|")
        missed = missed or state != "ok"
        print(f"{what:<58}{measured:<36}{allowed:<18}{state}", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
