"""The choice of an arm for live work."""

from __future__ import annotations

import random
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loopwright.records.choice import Choice, Counts
from loopwright.verify.bandit import FLOOR, changed, choose, counted, propensities, spread

ARMS = ["a", "b", "c"]
ALIKE = {
    (kind, arm): Counts(passes, 100 - passes) for kind in ("fix", "docs") for arm, passes in (("a", 80), ("b", 40))
}
DIFFERENT = {
    ("fix", "a"): Counts(90, 10),
    ("docs", "a"): Counts(10, 90),
    ("fix", "b"): Counts(10, 90),
    ("docs", "b"): Counts(90, 10),
}
any_counts = st.builds(Counts, st.floats(0, 1e7), st.floats(0, 1e7), st.floats(0, 1e6))


def test_nothing_is_known() -> None:
    """Without any counts, all arms are as probable."""
    assert list(propensities({}, "fix", ARMS).values()) == pytest.approx([1 / 3] * 3)


def test_the_better_arm_is_more_probable() -> None:
    """What passed more often is chosen more often, and none is given up."""
    known = {("fix", "a"): Counts(30, 10), ("fix", "b"): Counts(20, 20), ("fix", "c"): Counts(0, 1000)}
    chances = propensities(known, "fix", ARMS)
    assert chances["a"] > 0.9 > 0.1 > chances["b"] > chances["c"] == pytest.approx(FLOOR)


def test_propensities_are_those_of_draws() -> None:
    """The probability of each arm is how often a draw from its Beta distribution is the highest."""
    known = {("fix", "a"): Counts(3, 4), ("fix", "b"): Counts(40, 60), ("fix", "c"): Counts(0, 2)}
    dice, highest = random.Random(7), dict.fromkeys(ARMS, 0)
    for _ in range(20_000):
        drawn = {arm: dice.betavariate(1 + known["fix", arm].passes, 1 + known["fix", arm].failures) for arm in ARMS}
        highest[max(ARMS, key=lambda arm: drawn[arm])] += 1
    chances = propensities(known, "fix", ARMS)
    assert [chances[arm] for arm in ARMS] == pytest.approx([highest[arm] / 20_000 for arm in ARMS], abs=0.02)


def test_choices_are_drawn_from_what_is_logged() -> None:
    """Over many choices, each arm comes as often as its propensity says."""
    known, dice = {("fix", "a"): Counts(6, 4), ("fix", "b"): Counts(5, 5)}, random.Random(7)
    chosen = [choose(known, "fix", ARMS, dice) for _ in range(4_000)]
    for arm, chance in chosen[0].propensities.items():
        assert sum(choice.arm == arm for choice in chosen) / 4_000 == pytest.approx(chance, abs=0.025)


def test_the_same_seed_chooses_the_same() -> None:
    """A choice depends on counts and chance alone."""
    told = [choose(ALIKE, "fix", ARMS, random.Random(seed)) for seed in (1, 1, 2, 3, 4, 5, 6)]
    assert told[0] == told[1]
    assert len({choice.arm for choice in told}) > 1


@settings(max_examples=200, deadline=None)
@given(
    st.dictionaries(st.tuples(st.sampled_from("xyz"), st.sampled_from("abcd")), any_counts),
    st.floats(0, 100),
    st.text(),
)
def test_any_counts_give_probabilities(known: dict[tuple[str, str], Counts], price: float, kind: str) -> None:
    """Whatever was counted, at whichever price, propensities sum up to one and none is zero."""
    for task_type in ("x", kind):
        chances = propensities(known, task_type, ["a", "b", "a", "new"], price)
        assert list(chances) == ["a", "b", "new"]
        assert sum(chances.values()) == pytest.approx(1)
        assert min(chances.values()) >= FLOOR * 0.999


def test_no_arm() -> None:
    """There has to be something to choose from."""
    with pytest.raises(ValueError, match="no arm"):
        choose({}, "fix", [], random.Random(1))


def test_a_single_arm_and_very_many() -> None:
    """One arm is chosen for certain; two thousand of them are as probable as each other."""
    assert propensities(ALIKE, "fix", ["a"]) == {"a": pytest.approx(1)}
    many = propensities({}, "fix", [str(arm) for arm in range(2000)])
    assert list(many.values()) == pytest.approx([1 / 2000] * 2000)


def test_a_removed_arm_is_not_chosen() -> None:
    """Counts of an arm that is no longer offered choose nothing."""
    assert list(propensities(ALIKE, "fix", ["b", "c"])) == ["b", "c"]


def test_types_that_are_alike_learn_from_each_other() -> None:
    """A type that has seen nothing chooses by what others saw, where they agree."""
    assert spread(ALIKE) == 0
    assert propensities(ALIKE, "new", ["a", "b"])["a"] > 0.99


def test_types_that_differ_learn_alone() -> None:
    """Where types differ, what others saw of an arm counts for next to nothing."""
    assert spread(DIFFERENT) > 0.5
    assert propensities(DIFFERENT, "new", ["a", "b"])["a"] == pytest.approx(0.5, abs=0.05)
    seen = DIFFERENT | {("new", "a"): Counts(1, 5), ("new", "b"): Counts(5, 1)}
    assert propensities(seen, "new", ["a", "b"])["b"] > 0.9


def test_chance_alone_is_no_difference() -> None:
    """Types with the same rates, as they come out by chance, are taken as nearly alike."""
    dice = random.Random(7)
    found = []
    for _ in range(50):
        passes = {(str(kind), arm): sum(dice.random() < 0.6 for _ in range(80)) for kind in range(5) for arm in ARMS}
        found.append(spread({key: Counts(hits, 80 - hits) for key, hits in passes.items()}))
    assert sum(found) / 50 < 0.01
    assert max(found) < 0.05


def test_cost() -> None:
    """With a price, a dear arm has to pass more often to be chosen; without one, it does not matter."""
    known = {("fix", "a"): Counts(80, 20, cost=300), ("fix", "b"): Counts(75, 25, cost=30)}
    assert propensities(known, "fix", ["a", "b"])["a"] > 0.7
    assert propensities(known, "fix", ["a", "b"], price=0.1)["b"] > 0.95


def test_one_dear_run_is_not_the_end() -> None:
    """An arm whose only run was dear is tried again: what a run costs is uncertain, too."""
    known = {("fix", "a"): Counts(1, 0, cost=5), ("fix", "b"): Counts(30, 20, cost=50)}
    assert propensities(known, "fix", ["a", "b"], price=0.1)["a"] > 0.2
    assert propensities(known | {("fix", "a"): Counts(50, 0, cost=500)}, "fix", ["a", "b"], price=0.1)["a"] < 0.01


def test_a_model_that_changed() -> None:
    """A tenth of an arm's counts is kept, in all types; other arms keep theirs."""
    after = changed(ALIKE, "a")
    assert after["fix", "a"] == after["docs", "a"] == Counts(8, 2)
    assert after["fix", "b"] == ALIKE["fix", "b"]


def choice(arm: str, at: str = "", model: str = "", *, passed: bool = True) -> Choice:
    return Choice("fix", arm, {"a": 0.5, "b": 0.5}, at=at, passed=passed, model=model)


def test_outcomes_are_counted_for_their_arm() -> None:
    """Passes, failures and cost add up, in whatever order they come."""
    counts = counted({}, choice("a"), 2.0, None)
    counts = counted(counts, choice("b", passed=False), 0.0, None)
    assert counted(counts, choice("a"), 1.0, choice("a")) == {
        ("fix", "a"): Counts(2, 0, 3.0),
        ("fix", "b"): Counts(0, 1),
    }


def test_an_outcome_from_before_a_change() -> None:
    """What was started before a model changed counts a tenth when it comes out after; an unnamed one in full."""
    known = {("fix", "a"): Counts(10, 0), ("fix", "b"): Counts(10, 0)}
    newest = choice("a", "2", "m-2")
    assert counted(known, choice("a", "1", "m-1"), 1.0, newest)["fix", "a"] == Counts(10.1, 0, 0.1)
    after = counted(known, choice("a", "3", "m-3"), 1.0, newest)
    assert (after["fix", "a"], after["fix", "b"]) == (Counts(2, 0, 1.0), Counts(10, 0))
    assert counted(known, choice("a", "3"), 0.0, newest)["fix", "a"] == Counts(11, 0)


@pytest.mark.parametrize(("is_told", "least", "most"), [(True, 0, 25), (False, 100, 200)])
def test_a_change_is_found_out(is_told: bool, least: int, most: int) -> None:
    """A model that got worse is left soon when the change is known, and late when it is not."""
    counts, dice, late = {("fix", "a"): Counts(900, 100), ("fix", "b"): Counts(80, 20)}, random.Random(7), 0
    counts = dict(changed(counts, "a")) if is_told else counts
    for unit in range(400):
        made = choose(counts, "fix", ["a", "b"], dice)
        passed = dice.random() < (0.4 if made.arm == "a" else 0.8)
        counts = dict(counted(counts, choice(made.arm, passed=passed), 0.0, None))
        late += made.arm == "a" and unit >= 200
    assert least <= late <= most


def test_a_choice_is_quick() -> None:
    """Among five arms and five types, a choice takes about half a millisecond of the processor."""
    counts = {(str(kind), arm): Counts(20 + kind, 10) for kind in range(5) for arm in "abcde"}
    dice, took = random.Random(7), []
    for _ in range(200):
        began = time.process_time()
        choose(counts, "0", "abcde", dice, 0.1)
        took.append(time.process_time() - began)
    assert sorted(took)[100] < 0.002
