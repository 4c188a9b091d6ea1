"""What became of a finding."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from loopwright.diagnose.changes import change_of, sightings
from loopwright.records.finding import Change, Finding, Sighting
from loopwright.records.window import Looked


def finding(sessions: int, of: int, key: str = "k") -> Finding:
    return Finding(key, "accuracy", "r", "t", "d", sessions, of, 0.8)


@pytest.mark.parametrize(
    ("then", "now", "stands", "expected"),
    [
        ((10, 40), (2, 40), True, "better"),
        ((10, 40), (24, 40), True, "worse"),
        ((10, 40), (8, 40), True, "same"),
        ((10, 40), (5, 10), True, "same"),  # twice the rate, and too few to say so
        ((10, 40), (0, 40), False, "gone"),
        ((10, 40), (0, 5), False, "same"),  # at the old rate that is one in four
        ((40, 40), (0, 1), False, "gone"),
        ((10, 40), (1, 40), False, "better"),
    ],
)
def test_only_more_than_chance_is_a_change(
    then: tuple[int, int], now: tuple[int, int], stands: bool, expected: Change
) -> None:
    """Better and worse by the counts of both times; gone where its absence is no chance."""
    assert change_of(finding(*then), finding(*now), stands=stands) == expected


def test_of_what_does_not_change_little_is_said() -> None:
    """Two windows of the same rate are called different at most 1 time in 14."""
    chance, wrong = random.Random(3), 0
    for _ in range(1500):
        then, now = (sum(chance.random() < 0.3 for _ in range(40)) for _ in range(2))
        wrong += change_of(finding(then, 40), finding(now, 40)) != "same"
    assert wrong / 1500 < 0.07


def test_new_known_and_absent() -> None:
    """What stands first is new; what is known is told with its old rate, whether it stands or not; the rest is not."""
    past = Sighting(finding(10, 40, "old"), "2026-11-01", "new", None, "2026-11-01")
    looked = [
        Looked(finding(3, 9, "fresh"), stands=True),
        Looked(finding(1, 9, "little"), stands=False),
        Looked(finding(0, 40, "old"), stands=False),
    ]
    fresh, old = sightings(looked, {"old": past, "not looked for": past}, "2026-11-02")
    assert (fresh.finding.key, fresh.change, fresh.before, fresh.first_at) == ("fresh", "new", None, "2026-11-02")
    assert (old.finding.key, old.change, old.before, old.first_at) == ("old", "gone", 0.25, "2026-11-01")


def test_what_was_gone_and_comes_back_is_new() -> None:
    """With the day on which it was seen first; while it stays away nothing is said of it."""
    gone = Sighting(finding(0, 40), "2026-11-02", "gone", 0.25, "2026-11-01")
    (back,) = sightings([Looked(finding(5, 9), stands=True)], {"k": gone}, "2026-11-03")
    assert (back.change, back.first_at) == ("new", "2026-11-01")
    assert sightings([Looked(finding(0, 9), stands=False)], {"k": gone}, "2026-11-03") == []
    assert sightings([Looked(finding(0, 0), stands=False)], {"k": replace(gone, change="new")}, "2026") == []
