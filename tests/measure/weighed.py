"""Runs and their like, written in short, and what a detector says of one of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from loopwright.measure.baselines import Baselines
from loopwright.measure.detector import Detector
from loopwright.records.baseline import Totals
from loopwright.records.outcome import Past
from loopwright.records.signal import Moment

EVEN = (50, 60, 70, 80, 90, 100, 110, 120, 130, 140, 150)
"""Eleven that are not far from 100."""
WIDE = (1, 3, 10, 30, 60, 100, 200, 400, 1000, 3000, 10000)
"""Eleven with the same median, and far apart."""
SAME = (100,) * 11


def past(numbers: Sequence[float], name: str, **told: Any) -> list[Past]:
    """Give runs of the past that differ in one number."""
    usual = {"task_type": "bug_fix", "source": "", "seconds": 0.0, "tokens": 0, "cost_usd": 0.0, "iterations": 1}
    return [Past(**{"run_id": f"r{place}", **usual, **told, name: number}) for place, number in enumerate(numbers)]


def weighed(detector: Detector, history: Sequence[Past], **told: Any) -> Moment | None:
    """Hold one run against others."""
    usual: dict[str, Any] = {
        "seconds": 0.0,
        "tokens": 0,
        "cost_usd": 0.0,
        "passed": True,
        "last_seq": 7,
        "iterations": 2,
    }
    totals = Totals("mine", "bug_fix", "an agent", "a model", **{**usual, **told})
    return detector.weigh(totals, Baselines(history).of(totals))
