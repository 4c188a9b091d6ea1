"""A task that takes far longer than its like."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from loopwright.measure.detectors.timeout import Timeout
from measure.weighed import EVEN, SAME, WIDE, past, weighed

TEN = (95, 96, 97, 98, 99, 101, 102, 103, 104, 105)
SLOW = [
    *[(EVEN, seconds, {}) for seconds in (500, 600, 800, 1000, 5000, 1e6)],
    *[(SAME, seconds, {}) for seconds in (200, 201, 300, 1e9)],
    *[(TEN, seconds, {}) for seconds in (200, 250, 400, 2000)],
    (EVEN * 100, 600, {}),
    (WIDE, 10_000_000, {}),
    (EVEN, 160, {"factor": 1.5, "deviations": 1.0}),
    ((100, 100, 101), 300, {"fewest": 3}),
    ((0.001,) * 10, 0.01, {}),
    ((*EVEN, 0, 0, 0), 600, {}),
    ((*SAME, 100_000), 400, {}),
    ((*EVEN, 600), 700, {}),
]
USUAL = [
    *[(EVEN, seconds, {}) for seconds in (0, 1, 50, 100, 150, 199, 210, 290)],
    *[(WIDE, seconds, {}) for seconds in (200, 500, 3000, 10_000)],
    *[(SAME, seconds, {}) for seconds in (0, 100, 199)],
    (TEN[:9], 10_000, {}),
    ((), 10_000, {}),
    ((0,) * 20, 10_000, {}),
    (EVEN, 600, {"factor": 10.0}),
    (EVEN, 600, {"deviations": 30.0}),
    (EVEN, 600, {"fewest": 12}),
    ((5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560), 900, {}),
]


def test_there_are_enough_of_them() -> None:
    """Each table has twenty cases or more."""
    assert len(SLOW) >= 20 <= len(USUAL)


@pytest.mark.parametrize(("others", "seconds", "settings"), SLOW)
def test_it_is_found(others: Sequence[float], seconds: float, settings: dict[str, Any]) -> None:
    """Twice the median or more, and outside of what is usual, is found, with the run's last event."""
    found = weighed(Timeout(**settings), past(others, "seconds"), seconds=seconds)
    assert found is not None
    assert list(found.events) == [7]
    assert "times the median" in found.description


@pytest.mark.parametrize(("others", "seconds", "settings"), USUAL)
def test_it_is_not_found(others: Sequence[float], seconds: float, settings: dict[str, Any]) -> None:
    """What is usual, and what nobody knows to be unusual, is passed over."""
    assert weighed(Timeout(**settings), past(others, "seconds"), seconds=seconds) is None


def test_only_its_like_counts() -> None:
    """Runs of another task type, or sessions that were brought in, say nothing of a run of ours."""
    for told in ({"task_type": "docs"}, {"source": "codex"}):
        assert weighed(Timeout(), past(EVEN, "seconds", **told), seconds=1000) is None
