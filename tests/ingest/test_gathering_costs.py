"""What a session cost: by the prices that are known, else by what the agent says."""

from __future__ import annotations

import pytest

from loopwright.ingest.gathering import Gathering
from loopwright.ingest.spending import FOR_AN_HOUR
from loopwright.records.event import Event, EventKind


def _used(model: str, **told: float) -> Event:
    data = {"message": "m", "model": model, "input": 1000, "output": 0, "cache_read": 0, "cache_write": 0, **told}
    return Event(EventKind.USAGE, data=data, at="2026-11-16T05:00:00.000Z")


@pytest.mark.parametrize(
    ("model", "told", "expected"),
    [
        ("nobody-knows-it", {"cost_usd": 0.25}, 0.5),
        ("nobody-knows-it", {}, None),
        ("claude-sonnet-4-5", {"cost_usd": 0.25}, 0.006),
    ],
)
def test_the_agents_word_counts_where_no_price_is_known(
    model: str, told: dict[str, float], expected: float | None
) -> None:
    """Tokens are priced; only a model without a price costs what its agent says."""
    gathering = Gathering()
    gathering.add([_used(model, **told), _used(model, **told)])
    assert [day.cost_usd for day in gathering.usage()] == [expected]


def test_writes_for_an_hour_cost_twice_the_input() -> None:
    """Of each model and day apart: 2,000 written, 500 of them for an hour, and 1,000 in, by hand."""
    gathering = Gathering()
    model = "claude-sonnet-4-5"
    gathering.add([_used(model, cache_write=1500), _used(model, input=0, cache_write=500, **{FOR_AN_HOUR: 500})])
    gathering.add([_used("claude-opus-4-5", cache_write=1000)])
    assert [day.cost_usd for day in gathering.usage()] == [
        pytest.approx((1000 * 5 + 1000 * 6.25) / 1e6),
        pytest.approx((1000 * 3 + 1500 * 3.75 + 500 * 6) / 1e6),
    ]
