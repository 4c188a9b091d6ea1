"""What passes between two events."""

from __future__ import annotations

import pytest

from loopwright.measure.meter import Meter
from loopwright.records.event import Event, EventKind


def test_time_tokens_and_money() -> None:
    """Between two events pass the seconds, tokens and dollars of what lies between, pauses cut at five minutes."""
    meter = Meter()
    at = ["2026-11-16T08:00:00.000Z", "2026-11-16T08:00:10.000Z", "2026-11-16T10:00:10.000Z", ""]
    used = {"model": "claude-sonnet-4-5", "input": 1000, "output": 100, "cache_read": 0, "cache_write": 0}
    for number, moment in enumerate(at):
        kind, data = (EventKind.USAGE, used) if number == 2 else (EventKind.MESSAGE, {})
        meter.add(Event(kind, seq=number * 10 + 1, at=moment, data=data))
    assert meter.between(1, 11) == (10.0, 0, 0.0)
    seconds, tokens, cost = meter.between(11, 31)
    assert (seconds, tokens) == (300.0, 1100)
    assert cost == pytest.approx(0.003 + 0.0015)


def test_what_it_has_not_seen() -> None:
    """Numbers that it has not seen, or the other way round, cost nothing and are no error."""
    assert Meter().between(1, 2) == (0.0, 0, 0.0)
    meter = Meter()
    meter.add(Event(EventKind.USAGE, seq=5, data={"input": "x", "cost_usd": 1}))
    assert meter.between(9, 1) == (0.0, 0, 0.0)
