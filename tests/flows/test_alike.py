"""Many whole experiments through real assignment, store and decisions, with outcomes that are drawn."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from loopwright.cycle.proving import Proving
from loopwright.records.experiment import Experiment
from loopwright.records.identity import new_id
from loopwright.registry import kinds
from loopwright.store import open_store
from trials import TYPE, begin, ended, proving_on


@pytest.fixture
def proving(tmp_path: Path) -> Iterator[Proving]:
    with open_store(tmp_path / "store.sqlite", kinds) as store:
        yield proving_on(store)


def drawn(proving: Proving, chance: random.Random, rates: tuple[float, float], pairs: int) -> Experiment:
    """Do a whole experiment with outcomes that are drawn; a few come late, twice or never."""
    made = begin(proving, maximum=pairs)
    waiting = []
    for _ in range(2 * pairs):
        trial = proving.assign(new_id(), TYPE)
        if trial is None:
            break
        rate = rates[trial.arm == "B"]
        waiting.append(ended(trial, passed=chance.random() < rate, cost=chance.lognormvariate(0, 0.5)))
        if chance.random() < 0.8:
            run = waiting.pop(chance.randrange(len(waiting)))
            for _ in range(1 + (chance.random() < 0.1)):
                proving.deliver_live(run)
    for run in waiting:
        proving.deliver_live(run)
    found, _ = proving.experiments.get(made.id)
    return found if found.status != "running" else proving.stop(made.id, "over")


@pytest.mark.parametrize("seed", [8, 9])
def test_two_arms_that_are_alike_are_rarely_told_apart(proving: Proving, seed: int) -> None:
    """Of 200 experiments with no difference, through real assignment, store and decisions, at most 5 % promote."""
    chance = random.Random(seed)
    found = Counter(drawn(proving, chance, (0.5, 0.5), 50).status for _ in range(100))
    assert found["proven"] <= 10, found  # about 3 % are exact here: more than 10 come once in 1,000 times
    assert found["no_difference"] >= 80, found


def test_a_real_difference_is_found_in_most(proving: Proving) -> None:
    """Of 20 experiments with a lift of 30 points, most promote within 200 pairs."""
    chance = random.Random(9)
    found = Counter(drawn(proving, chance, (0.4, 0.7), 200).status for _ in range(20))
    assert found["proven"] >= 15, found
