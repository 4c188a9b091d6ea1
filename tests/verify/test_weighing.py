"""Pairs of trials weighed one by one: what they decide, and what stands against it."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopwright.records.experiment import Arm, Evidence, Experiment, Trial
from loopwright.verify.evidence import bounds, confidence_sequence, superiority, superiority_scores, threshold
from loopwright.verify.weighing import guarded, look, verdict, wanted, weigh

EXPERIMENT = Experiment("e", "e", "review", Arm("none"), Arm("self"), ("docs",), {}, "2026-01-02")
MODEL = dataclasses.replace(EXPERIMENT, parameter="model", guardrails=("passed", "cost"))
DIFFERENCES = {1: (False, True), -1: (True, False), 0: (True, True)}


def trial(arm: str, passed: bool, cost: float = 1.0, seconds: float = 1.0, task_type: str = "docs") -> Trial:
    told = {"passed": passed, "cost_usd": cost, "seconds": seconds}
    return Trial(arm, "e", "u", arm, task_type, "b", "live", "", **told)  # type: ignore[arg-type]


def weighed(
    differences: Iterable[int], experiment: Experiment = EXPERIMENT, cost: float = 1.0, seconds: float = 1.0
) -> Evidence:
    """Weigh pairs in which B costs and takes so much, and A 1."""
    evidence = Evidence()
    for difference in differences:
        a, b = DIFFERENCES[difference]
        evidence = weigh(experiment, evidence, trial("A", a), trial("B", b, cost, seconds))
    return evidence


@given(st.lists(st.sampled_from([-1, 0, 0, 1]), max_size=120))
def test_intervals_of_single_looks_make_the_sequence(differences: list[int]) -> None:
    """What each look leaves, intersected, is the confidence sequence of the whole, for any order of pairs."""
    low, high = -1.0, 1.0
    for pairs in range(1, len(differences) + 1):
        seen = differences[:pairs]
        one, other = bounds(seen.count(1), seen.count(-1), pairs)
        low, high = max(low, one), min(high, other)
    assert (low, high) == pytest.approx(confidence_sequence([float(one) for one in differences]), abs=1e-9)
    evidence = weighed(differences)
    assert (evidence.low, evidence.high) == (low, high)


def test_sums_are_enough() -> None:
    """Weighed one by one, the evidence is what the whole list comes to: wins, scores, strata and totals."""
    chance = random.Random(3)
    differences = [chance.choice([-1, 0, 1]) for _ in range(80)]
    evidence = weighed(differences, dataclasses.replace(EXPERIMENT, guardrails=("passed", "cost")), cost=2.0)
    wins, losses = differences.count(1), differences.count(-1)
    assert (evidence.pairs, evidence.wins, evidence.losses) == (80, wins, losses)
    assert look(evidence).superiority == superiority(wins, losses)
    assert sum(evidence.worth["passed"]) == pytest.approx(superiority_scores(differences, 0.1))
    assert sum(evidence.worth["cost"]) == pytest.approx(superiority_scores([-0.5] * 80, 0.5))
    assert evidence.strata == {"docs": [80, wins, losses]}
    assert evidence.totals["B"] == [sum(DIFFERENCES[one][1] for one in differences), 160.0, 80.0]


@pytest.mark.parametrize(
    ("costs", "difference"),
    [((1, 1), 0), ((1, 2), -0.5), ((2, 1), 0.5), ((1, 100), -1), ((0, 0), 0), ((0, 1), -1), ((1, 0), 1)],
)
def test_money_and_time_as_ratios(costs: tuple[float, float], difference: float) -> None:
    """Less is better, by the logarithm of the ratio, and fourfold is as far as it goes; nothing at all is less."""
    for metric in ("cost", "time"):
        experiment = dataclasses.replace(EXPERIMENT, guardrails=(metric,))
        a, b = (trial(arm, True, spent, spent) for arm, spent in zip("AB", costs, strict=True))
        found = weigh(experiment, Evidence(), a, b).worth[metric]
        assert sum(found) == pytest.approx(superiority_scores([difference], 0.5))


def test_a_better_one_is_promoted_from_30_pairs_on() -> None:
    """Twenty-nine wins in a row are not enough; the thirtieth decides."""
    assert verdict(EXPERIMENT, weighed([1] * 29)) == "continue"
    assert verdict(EXPERIMENT, weighed([1] * 30)) == "promote"
    assert verdict(EXPERIMENT, weighed([0] * 30 + [-1] * 10)) == "no_difference"


def test_a_guardrail_holds_it_back() -> None:
    """What passes more often for ten times the money goes on, and at the last pair there is no difference."""
    dear = weighed([1] * 30, cost=10.0)
    assert guarded(EXPERIMENT, dear) == ["cost"]
    assert verdict(EXPERIMENT, dear) == "continue"
    assert verdict(dataclasses.replace(EXPERIMENT, maximum=30), dear) == "no_difference"
    assert guarded(EXPERIMENT, weighed([1] * 30, seconds=10.0)) == ["time"]


def test_several_at_once_need_more() -> None:
    """Two at once need 40, three 60; the threshold that was fixed at the start is kept."""
    for concurrent, needed in ((1, threshold(600)), (2, 40.0), (3, 60.0)):
        assert wanted(dataclasses.replace(EXPERIMENT, concurrent=concurrent)) == needed
    assert wanted(dataclasses.replace(EXPERIMENT, threshold=19.0)) == 19.0
    evidence = weighed([1] * 20 + [-1] * 5 + [0] * 5)
    assert 20 < look(evidence).superiority < 60
    assert verdict(EXPERIMENT, evidence) == "promote"
    assert verdict(dataclasses.replace(EXPERIMENT, concurrent=3), evidence) == "continue"
    assert verdict(dataclasses.replace(EXPERIMENT, threshold=1e9), evidence) == "continue"


def test_arms_that_are_not_filled_half_and_half() -> None:
    """A mismatch of the ratio stops it, whatever else the evidence says."""
    uneven = dataclasses.replace(weighed([1] * 40), delivered={"A": 400, "B": 600})
    assert verdict(EXPERIMENT, uneven) == "mismatch"
    assert verdict(EXPERIMENT, dataclasses.replace(uneven, delivered={"A": 490, "B": 510})) == "promote"


def test_a_cheaper_model_needs_more_than_its_price() -> None:
    """It is taken once it is shown to be no worse; until then it goes on, and without a lower price it ends."""
    same, more = [0] * 40, [0] * 200
    assert verdict(MODEL, weighed(same, MODEL, cost=0.5)) == "continue"
    assert verdict(MODEL, weighed(more, MODEL, cost=0.5)) == "cheaper"
    assert verdict(MODEL, weighed(more, MODEL, cost=1.0)) == "no_difference"
    other = dataclasses.replace(MODEL, parameter="review")
    assert verdict(other, weighed(more, other, cost=0.5)) == "no_difference"
    not_asked = dataclasses.replace(MODEL, guardrails=("cost",))
    assert verdict(not_asked, weighed(more, not_asked, cost=0.5)) == "no_difference"


def test_a_cheaper_model_that_is_worse_ends_soon() -> None:
    """Once it is shown to be worse, nothing is waited for; and at the last pair it is not taken."""
    assert verdict(MODEL, weighed([-1] * 40 + [0] * 20, MODEL, cost=0.1)) == "no_difference"
    few = dataclasses.replace(MODEL, maximum=40)
    assert verdict(few, weighed([0] * 40, few, cost=0.5)) == "no_difference"
