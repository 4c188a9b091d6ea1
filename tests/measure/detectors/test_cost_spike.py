"""A task that uses far more than its like."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from loopwright.measure.detectors.cost_spike import CostSpike
from measure.weighed import EVEN, SAME, WIDE, past, weighed

LOW = (0.1, 0.11, 0.12, 0.13, 0.14, 0.15, 0.16, 0.17, 0.18, 0.19)
DEAR = [
    *[("cost_usd", EVEN, value, {}) for value in (600, 1000, 5000)],
    *[("tokens", EVEN, value, {}) for value in (600, 1000, 10**12)],
    *[("cost_usd", LOW, value, {}) for value in (0.9, 2.0, 50.0)],
    *[("tokens", SAME, value, {}) for value in (200, 201, 100_000)],
    *[("cost_usd", SAME, value, {}) for value in (200, 900)],
    ("tokens", WIDE, 10**9, {}),
    ("tokens", EVEN * 50, 700, {}),
    ("cost_usd", (*EVEN, 0, 0), 900, {}),
    ("cost_usd", (*SAME, 90_000), 500, {}),
    ("tokens", EVEN, 170, {"factor": 1.5, "deviations": 1.0}),
    ("tokens", (10, 10, 11), 100, {"fewest": 3}),
]
USUAL = [
    *[("cost_usd", EVEN, value, {}) for value in (0, 10, 100, 180, 300)],
    *[("tokens", EVEN, value, {}) for value in (0, 1, 150, 210, 330)],
    *[("tokens", WIDE, value, {}) for value in (500, 10_000, 20_000)],
    *[("cost_usd", SAME, value, {}) for value in (100, 199)],
    ("cost_usd", LOW[:9], 100.0, {}),
    ("tokens", (), 10**9, {}),
    ("cost_usd", (0,) * 30, 100.0, {}),
    ("tokens", EVEN, 1000, {"factor": 20.0}),
    ("tokens", EVEN, 1000, {"deviations": 40.0}),
    ("cost_usd", EVEN, 1000, {"fewest": 50}),
]


def test_there_are_enough_of_them() -> None:
    """Each table has twenty cases or more."""
    assert len(DEAR) >= 20 <= len(USUAL)


@pytest.mark.parametrize(("name", "others", "value", "settings"), DEAR)
def test_it_is_found(name: str, others: Sequence[float], value: float, settings: dict[str, Any]) -> None:
    """Far over the median is found, in money and in tokens, and says which."""
    found = weighed(CostSpike(**settings), past(others, name), **{name: value})
    assert found is not None
    assert found.category == {"cost_usd": "money", "tokens": "tokens"}[name]


@pytest.mark.parametrize(("name", "others", "value", "settings"), USUAL)
def test_it_is_not_found(name: str, others: Sequence[float], value: float, settings: dict[str, Any]) -> None:
    """What is usual, and what nobody knows to be unusual, is passed over."""
    assert weighed(CostSpike(**settings), past(others, name), **{name: value}) is None


def test_both_are_told() -> None:
    """Money and tokens that are both far out make one moment that names both."""
    history = [one._replace(tokens=int(one.cost_usd)) for one in past(EVEN, "cost_usd")]
    found = weighed(CostSpike(), history, cost_usd=1000.0, tokens=9000)
    assert found is not None
    assert "$1000.00" in found.description and "9,000 tokens" in found.description
