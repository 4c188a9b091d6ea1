"""Evidence that a rate fell below a baseline."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopwright.statistics.watch import ALARM, Watch, evidence, evidence_of_counts


@given(st.lists(st.booleans(), max_size=60), st.floats(0.0, 1.0))
def test_the_order_does_not_matter(outcomes: list[bool], p0: float) -> None:
    """Counts give the same evidence as the outcomes one after the other."""
    by_counts = evidence_of_counts(sum(outcomes), len(outcomes), p0)
    assert evidence(map(float, outcomes), p0) == pytest.approx(by_counts, rel=1e-9)


def test_a_known_value() -> None:
    """One failure against one half: the mixture of 1 + λ/2."""
    assert Watch(0.5).see(0.0) == pytest.approx(0.1 * 1.05 + 0.3 * 1.1 + 0.3 * 1.2 + 0.2 * 1.4 + 0.1 * 1.6)


@pytest.mark.parametrize("p0", [0.1, 0.5, 0.8, 0.95])
def test_a_rate_that_holds_is_rarely_called_fallen(p0: float) -> None:
    """With a look after each of 500 outcomes, at most 1 in 20 of flat series ever reaches the alarm."""
    dice, alarms = random.Random(11), 0
    for _ in range(400):
        watch = Watch(p0)
        alarms += any(watch.see(float(dice.random() < p0)) >= ALARM for _ in range(500))
    assert alarms <= 400 * 0.05 + 9  # two standard errors


@pytest.mark.parametrize("p0", [0.5, 0.8])
def test_a_fall_is_found(p0: float) -> None:
    """A fall of 20 points is found within 100 outcomes nine times in ten."""
    dice, found = random.Random(12), 0
    for _ in range(300):
        watch = Watch(p0)
        found += any(watch.see(float(dice.random() < p0 - 0.2)) >= ALARM for _ in range(100))
    assert found >= 270


def test_a_late_fall_is_found_sooner_by_the_second_sum() -> None:
    """After a long good time, the evidence for a fall that came later is there first."""
    watch = Watch(0.7)
    for _ in range(300):
        watch.see(1.0)
    for _ in range(30):
        watch.see(0.0)
    assert watch.late_evidence > 1000 > watch.evidence


@given(st.lists(st.floats(0.0, 1.0), max_size=200), st.floats(0.0, 1.0))
def test_no_series_breaks_it(outcomes: list[float], p0: float) -> None:
    """Whatever comes, the evidence is a number that is not below 0."""
    watch = Watch(p0)
    for outcome in outcomes:
        assert watch.see(outcome) >= 0
    assert watch.late_evidence >= 0
