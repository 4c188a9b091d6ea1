"""A release is rolled back on evidence, and rarely without reason."""

from __future__ import annotations

import random

import pytest

from loopwright.verify.watching import begin, see, tasks_to_see, visible


def day(rate: float, tasks: int, seed: int, runs: int = 300) -> str:
    """Live a day with a pass rate that was .7 before."""
    chance, watched = random.Random(seed), begin("r", round(0.7 * runs), runs, "2026-01-01T00:00:00.000Z")
    for _ in range(tasks):
        watched = see(watched, chance.random() < rate, tasks)
    return watched.status


def test_few_runs_make_no_baseline() -> None:
    """Below a hundred runs nothing is watched, and it is said why."""
    watched = begin("r", 50, 99, "2026-01-01T00:00:00.000Z")
    assert (watched.status, watched.p0) == ("no_baseline", None)
    assert "99 runs" in watched.detail
    assert see(watched, False, 50) == watched


@pytest.mark.parametrize("tasks", [50, 200, 1000])
def test_what_has_not_changed_is_rarely_rolled_back(tasks: int) -> None:
    """On at most 5 of 100 days, whatever the number of tasks."""
    assert sum(day(0.7, tasks, seed) == "rolled_back" for seed in range(200)) <= 10


def test_a_real_fall_is_found() -> None:
    """One of 20 points at 200 tasks a day, on nearly every day; nothing passes any more: within ten tasks."""
    assert sum(day(0.5, 200, seed) == "rolled_back" for seed in range(100)) >= 95
    assert day(0.0, 10, 1) == "rolled_back"


def test_a_fall_that_comes_late_is_found() -> None:
    """After a thousand good tasks, a hundred bad ones are enough."""
    watched = begin("r", 210, 300, "2026-01-01T00:00:00.000Z")
    for number in range(1000):
        watched = see(watched, number % 4 != 0, 200)
    assert watched.status == "watching"
    for number in range(100):
        watched = see(watched, number % 4 == 0, 200)
    assert watched.status == "rolled_back"


def test_a_warning_comes_first() -> None:
    """On the way down there is a warning; what was rolled back stays so."""
    watched, seen = begin("r", 210, 300, "2026-01-01T00:00:00.000Z"), []
    for _ in range(12):
        watched = see(watched, False, 200)
        seen.append(watched.status)
    assert seen.index("warned") < seen.index("rolled_back")
    assert see(watched, True, 200) == watched


def test_what_can_be_seen() -> None:
    """Smaller falls need more tasks, and at a team's own rate it is said which are found."""
    assert tasks_to_see(0.7, 0.2) < tasks_to_see(0.7, 0.1) < tasks_to_see(0.7, 0.05)
    assert 25 < tasks_to_see(0.7, 0.2) < 60
    assert "no fall at all" in visible(0.7, 1)
    assert "a fall to 9 points below 70 %" in visible(0.7, 200)
