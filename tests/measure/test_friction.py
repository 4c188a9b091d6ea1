"""What many signals come to."""

from __future__ import annotations

import dataclasses

from loopwright.measure.friction import friction
from loopwright.records.signal import Severity, Signal


def signal(name: str, run: str, cost: float = 0.0, severity: Severity = "medium", at: str = "") -> Signal:
    return Signal(name, run, "error_loop", severity, f"it failed {name}", (1, 2), at, cost_usd=cost, seconds=10.0)


def test_summed_by_type() -> None:
    """Signals of one type are summed up, with the most severe and dearest as the example; wrong ones do not count."""
    wrong = dataclasses.replace(signal("w", "r3", 9.0), is_wrong=True)
    other = dataclasses.replace(signal("o", "r1"), type="timeout")
    given = [signal("a", "r1", 5.0), signal("b", "r1", 1.0, "high"), signal("c", "r2", 2.0, "high"), wrong, other]
    first, second = friction(given)
    assert (first.type, first.signals, first.sessions, first.cost_usd, first.seconds) == ("error_loop", 3, 2, 8.0, 30.0)
    assert first.example.id == "c"
    assert second.type == "timeout"


def test_a_copy_counts_once() -> None:
    """What a fork has from its original is one signal."""
    one = signal("a", "r1", at="2026-11-16T08:00:00.000Z")
    copy = dataclasses.replace(one, id="b", run_id="r2")
    assert [(found.signals, found.sessions) for found in friction([one, copy])] == [(1, 1)]
