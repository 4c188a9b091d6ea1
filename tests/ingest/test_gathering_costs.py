"""What a session cost: by the prices that are known, else by what the agent says."""

from __future__ import annotations

import pytest

from loopwright.ingest.gathering import Gathering
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
