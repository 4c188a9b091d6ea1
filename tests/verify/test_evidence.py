"""Evidence, against numbers that were computed elsewhere."""

from __future__ import annotations

import random

import pytest

from loopwright.verify import evidence
from loopwright.verify.assign import bucket
from loopwright.verify.evidence import VILLE, adaptive, decide, futility, superiority, superiority_scores, threshold

PAIRS = (1, 0, -1, 1, 1, 0, 1, -1, 0, 1)
STEPS = (1.26, 1.26, 0.924, 1.1592, 1.4616, 1.4616, 1.852704, 1.3438656, 1.3438656, 1.69561728)


def test_step_by_step() -> None:
    """After each pair, the evidence is what the bets so far are worth."""
    found = [superiority(PAIRS[:count].count(1), PAIRS[:count].count(-1)) for count in range(1, 11)]
    assert found == pytest.approx(STEPS)
    assert futility(5, 2, 10) == pytest.approx(0.533270944)


@pytest.mark.parametrize(
    ("wins", "losses", "value"),
    [(10, 0, 13.011855145), (20, 10, 4.39925775), (40, 20, 19.540064931), (60, 40, 5.477792537)],
)
def test_superiority(wins: int, losses: int, value: float) -> None:
    """Wins over losses, as the table has them."""
    assert superiority(wins, losses) == pytest.approx(value)


@pytest.mark.parametrize(
    ("wins", "losses", "pairs", "value"),
    [(20, 20, 100, 2.334940321), (30, 25, 150, 1.665450199), (15, 30, 100, 152.3797613)],
)
def test_futility(wins: int, losses: int, pairs: int, value: float) -> None:
    """Evidence against a lift, as the table has it."""
    assert futility(wins, losses, pairs) == pytest.approx(value)


def test_scores() -> None:
    """Scores between -1 and 1, with and without a margin."""
    scores = (0.3, -0.1, 0.25, 0, 0.5, -0.2, 0.4, 0.1)
    assert superiority_scores(scores) == pytest.approx(1.3607597735)
    assert superiority_scores(scores, 0.05) == pytest.approx(1.508846985)


def test_adaptive() -> None:
    """Arms that were chosen by what had come before, step by step."""
    told = ((1, 1, 0, 1, 0), (1, 0, 0, 1, 1), (0.5, 0.6, 0.6, 0.7, 0.3), (0.5, 0.6, 0.6, 0.55, 0.6))
    found = [adaptive(*(part[:count] for part in told)) for count in range(1, 6)]
    assert found == pytest.approx([1.1325, 0.97788, 1.15867632, 1.2467665092, 0.939243374])


def test_ratio_mismatch() -> None:
    """Two arms that were filled unevenly."""
    assert evidence.ratio_mismatch(480, 520) == pytest.approx(-0.4731252337)
    assert evidence.ratio_mismatch(400, 600) == pytest.approx(17.0989404165)


def test_buckets() -> None:
    """A unit's place depends on the experiment and the unit."""
    assert bucket("exp-1", "task-0") == pytest.approx(0.8942688299)
    assert bucket("exp-1", "task-1") == pytest.approx(0.5416644569)
    assert bucket("exp-2", "task-0") == pytest.approx(0.1434060346)


@pytest.mark.parametrize("maximum", [200, 300, 600])
def test_thresholds_are_the_least_that_hold(maximum: int) -> None:
    """A threshold that is known is held by a fair coin with at most 5 %, and just below the computed one it is not."""
    tosses, computed = evidence.most_discordant(maximum), evidence._computed(maximum)
    assert evidence.reached(threshold(maximum), tosses) <= 0.05 < evidence.reached(computed - 1e-6, tosses)
    assert evidence.reached(threshold(maximum), tosses) == evidence.reached(computed, tosses)
    assert threshold(maximum) == pytest.approx(computed, abs=2e-3)


@pytest.mark.parametrize(
    ("told", "decision"),
    [
        ((20, 0, 20), "continue"),
        ((25, 2, 30), "promote"),
        ((5, 5, 29), "continue"),
        ((5, 30, 60), "no_difference"),
        ((60, 50, 600), "no_difference"),
        ((240, 130, 600), "no_difference"),
        ((40, 20, 100), "promote"),
    ],
)
def test_decisions(told: tuple[int, int, int], decision: str) -> None:
    """At least 30 pairs; a promotion at the threshold, none beyond what it is exact for; an end at the maximum."""
    assert decide(*told) == decision


def test_three_at_once() -> None:
    """With three experiments on one role, 60 is asked of each."""
    assert superiority(40, 20) < 60
    assert decide(40, 20, 100, concurrent=3) == "continue"


def test_confidence_sequence() -> None:
    """The interval of 30 wins, 15 losses and 55 draws."""
    differences = [1.0] * 30 + [-1.0] * 15 + [0.0] * 55
    random.Random(0).shuffle(differences)
    low, high = evidence.confidence_sequence(differences)
    assert (low, high) == (pytest.approx(-0.025, abs=0.02), pytest.approx(0.355, abs=0.02))


def test_more_pairs_than_anybody_has() -> None:
    """The bound that needs no maximum takes the place of minutes of computing."""
    assert threshold(10**6) == VILLE


@pytest.mark.parametrize(("wins", "losses", "pairs"), [(-1, 0, 40), (0, -1, 40), (40, 20, 10), (20, 21, 40)])
def test_counts_that_can_not_be(wins: int, losses: int, pairs: int) -> None:
    """Fewer than none, and more that differ than there are pairs, decide nothing: whoever counted is told."""
    for judge in (decide, futility, evidence.bounds):
        with pytest.raises(ValueError, match=f"`{wins}` wins and `{losses}` losses of `{pairs}` pairs"):
            judge(wins, losses, pairs)
    if wins < 0 or losses < 0:
        with pytest.raises(ValueError, match="none below 0"):
            superiority(wins, losses)
