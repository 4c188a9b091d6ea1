"""The figures of bench/evidence.py: those that no chance is in, in full, and the rest at a small size."""

from __future__ import annotations

import random

import pytest

import evidence as bench
import evidence_bandits as bandits
import evidence_rules as rules
from evidence_exact import by_evidence, by_mean, course, independent, is_futile, promotes, replayed, rolled_back
from evidence_watch import watched
from loopwright.statistics.intervals import lower_bound
from loopwright.statistics.watch import ALARM, Watch
from loopwright.verify.evidence import decide
from loopwright.verify.watching import begin, see


def test_all_exact_figures_are_reached() -> None:
    """False promotions, pairs to a decision, power and false rollbacks are as promised."""
    rows = list(bench.exact_figures())
    assert len(rows) == 11
    assert [row for row in rows if not row.endswith("|ok")] == []


def test_the_watch_that_is_simulated_is_the_one_that_ships() -> None:
    """Releases that the product's own watch looks on at are rolled back as often as those of the simulation."""
    dice, back = random.Random(7), 0
    for _ in range(300):
        found = begin("r", sum(dice.random() < 0.7 for _ in range(100)), 100, "")
        for task in range(1, 201):
            found = see(found, dice.random() < 0.6, task)
        back += found.status == "rolled_back"
    assert back / 300 == pytest.approx(watched(0.7, 0.6, 200), abs=0.08)


def test_what_is_followed_is_the_real_rule() -> None:
    """The tables of the walk say what `decide` says, of any pairs."""
    dice = random.Random(7)
    for _ in range(3_000):
        pairs = dice.randint(30, 599)
        wins = dice.randint(0, pairs * 2 // 3)
        losses = dice.randint(0, pairs - wins)
        futile = "no_difference" if is_futile(pairs)[wins, losses] else "continue"
        assert decide(wins, losses, pairs) == ("promote" if promotes(600)[wins, losses] else futile)


@pytest.mark.parametrize(
    ("base", "lift", "power", "pairs"), [(0.5, 0.0, 0.0456, 173.8), (0.5, 0.1, 0.824, 223.9), (0.5, 0.2, 0.996, 83.4)]
)
def test_exact_figures_are_known_ones(base: float, lift: float, power: float, pairs: float) -> None:
    """The walk comes to what was computed elsewhere, and leaves nothing out."""
    found = course(*independent(base, lift))
    assert (found.promoted, found.pairs) == (pytest.approx(power, abs=0.001), pytest.approx(pairs, abs=0.1))
    assert found.left_out < 1e-9


def test_simulated_and_exact_agree() -> None:
    """The same rule on made-up experiments comes to the same, and peeking is wrong far more often."""
    none, ten = rules.judged(0.5, 0.0, 2_000), rules.judged(0.5, 0.1, 2_000)
    assert none["ours"].share == pytest.approx(0.0456, abs=0.014)
    assert ten["ours"].mean_pairs == pytest.approx(223.9, abs=13)
    assert none["p<.05, peeking"].share > 0.15
    assert none["p<.05, peeking"].winners / 2_000 > 0.3
    assert none["fixed, 303"].share == pytest.approx(0.05, abs=0.015)
    others = [found for name, found in none.items() if name not in ("ours", "p<.05, peeking", "fixed, 303")]
    assert all(found.share < 0.05 and found.mean_pairs > 550 for found in others)


def test_replayed_tasks() -> None:
    """Tasks that differ in difficulty take fewer pairs when both arms do the same ones."""
    wins, losses = replayed(0.5, 0.5, 0.1)
    assert wins - losses == pytest.approx(0.1, abs=1e-6)
    assert course(wins, losses).pairs < course(*independent(0.5, 0.1)).pairs - 50
    assert rules.rounds(1.0, 2_000, 0.5, 0.5).share < 0.05


def test_the_walk_of_a_watch_is_the_real_watch() -> None:
    """A day of outcomes that a watch is shown rolls back as often as the walk says, and the mean far more often."""
    dice, rolled, runs = random.Random(7), 0, 600
    for _ in range(runs):
        watch = Watch(lower_bound(sum(dice.random() < 0.7 for _ in range(100)), 100))
        rolled += any(watch.see(float(dice.random() < 0.5)) >= ALARM for _ in range(50))
    assert rolled / runs == pytest.approx(rolled_back(0.7, 0.5, 50, by_evidence()), abs=0.06)
    assert rolled_back(0.7, 0.7, 50, by_evidence()) < 0.01 < 0.4 < rolled_back(0.7, 0.7, 50, by_mean())


@pytest.mark.parametrize("scene", list(bandits.SCENES))
def test_the_bandit_loses_little(scene: str) -> None:
    """It loses less than a third of what chance would, also while outcomes are outstanding."""
    rates = bandits.SCENES[scene](random.Random(1))
    lost = bandits.regret("uniform", rates, 7)
    assert bandits.regret("ours", rates, 7) < lost / 3
    assert bandits.regret("ours", rates, 7, bandits.DELAY) < lost / 3


@pytest.mark.parametrize("name", ["UCB1", "ε-greedy (.1)", "track-and-stop", "one arm for all", "each category alone"])
def test_others_learn_as_well(name: str) -> None:
    """What the bandit is compared with does what it should: it loses less than chance."""
    rates = bandits.alike(random.Random(1))
    assert bandits.regret(name, rates, 7) < 0.7 * bandits.regret("uniform", rates, 7)
