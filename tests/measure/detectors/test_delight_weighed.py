"""delight: a task that passed better than its like."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from loopwright.measure.detectors.delight import Delight
from measure.weighed import EVEN, SAME, WIDE, past, weighed

GOOD = [
    *[("seconds", EVEN, value, {}) for value in (1, 5, 10, 20, 25)],
    *[("cost_usd", EVEN, value, {}) for value in (0.5, 1, 10, 20)],
    *[("seconds", SAME, value, {}) for value in (1, 40, 50)],
    *[("cost_usd", SAME, value, {}) for value in (1, 49.9)],
    *[("iterations", others, 1, {}) for others in ((2,) * 10, (2, 3) * 6, (1, 2, 2, 3, 4) * 3)],
    ("seconds", WIDE, 0.0001, {}),
    ("seconds", EVEN, 70, {"factor": 1.2, "deviations": 0.5}),
    ("seconds", (100, 100, 101), 10, {"fewest": 3}),
]
NOT_GOOD = [
    *[("seconds", EVEN, value, {}) for value in (0, 40, 50, 90, 100, 1000)],
    *[("cost_usd", EVEN, value, {}) for value in (0, 45, 100, 500)],
    *[("seconds", WIDE, value, {}) for value in (1, 10, 45)],
    *[("iterations", others, 1, {}) for others in ((1,) * 10, (1, 1, 2) * 5, (2,) * 9)],
    ("iterations", (5,) * 20, 2, {}),
    ("seconds", EVEN[:9], 1, {}),
    ("seconds", (), 1, {}),
    ("seconds", EVEN, 5, {"fewest": 12}),
    ("seconds", EVEN, 5, {"deviations": 30.0}),
]


def test_there_are_enough_of_them() -> None:
    """Each table has twenty cases or more."""
    assert len(GOOD) >= 20 <= len(NOT_GOOD)


@pytest.mark.parametrize(("name", "others", "value", "settings"), GOOD)
def test_it_is_found(name: str, others: Sequence[float], value: float, settings: dict[str, Any]) -> None:
    """What passed and is far under the median is found."""
    found = weighed(Delight(**settings), past(others, name), **{name: value})
    assert found is not None
    assert list(found.events) == [7]


@pytest.mark.parametrize(("name", "others", "value", "settings"), NOT_GOOD)
def test_it_is_not_found(name: str, others: Sequence[float], value: float, settings: dict[str, Any]) -> None:
    """What is usual, and what nobody knows to be unusual, is passed over."""
    assert weighed(Delight(**settings), past(others, name), **{name: value}) is None


@pytest.mark.parametrize("passed", [None, False])
def test_what_did_not_pass_is_no_delight(passed: bool | None) -> None:
    """Who gives up early is fast as well."""
    assert weighed(Delight(), past(EVEN, "seconds"), seconds=1, passed=passed) is None
