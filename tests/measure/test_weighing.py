"""Whole runs against their like."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from loopwright.measure.detectors.delight import Delight
from loopwright.measure.detectors.error_loop import ErrorLoop
from loopwright.measure.detectors.timeout import Timeout
from loopwright.measure.weighing import Weighing
from loopwright.records.baseline import Totals
from loopwright.records.outcome import Past
from measure.weighed import EVEN, past

AT = "2026-11-16T08:00:00.000Z"


class Runs:
    """A history, and one run that took long."""

    asked = 0

    def history(self, task_types: Collection[str]) -> Sequence[Past]:
        self.asked += 1
        return past(EVEN, "seconds")

    def totals(self, run_ids: Sequence[str]) -> Sequence[Totals]:
        known = {"slow": 1000.0, "usual": 100.0, "fast": 1.0}
        return [
            Totals(name, "bug_fix", "", "", known[name], 0, 0.0, 1, True, 9, AT) for name in run_ids if name in known
        ]


def test_what_stands_out_becomes_a_signal() -> None:
    """It has the run's last event, its end, and what went beyond the median; the history is read once."""
    runs = Runs()
    weighing = Weighing(runs, ["slow", "usual", "fast", "at work"], {"timeout": Timeout(), "delight": Delight()})
    [slow], [fast] = weighing.signals("slow"), weighing.signals("fast")
    assert (slow.type, slow.run_id, slow.events, slow.at, slow.seconds) == ("timeout", "slow", (9,), AT, 900.0)
    assert (fast.type, fast.seconds) == ("delight", 0.0)
    assert list(weighing.signals("usual")) == list(weighing.signals("at work")) == []
    assert runs.asked == 1


def test_without_a_detector_that_weighs_nothing_is_read() -> None:
    """Detectors that only look at events need no history."""
    runs = Runs()
    assert list(Weighing(runs, ["slow"], {"error_loop": ErrorLoop()}).signals("slow")) == []
    assert runs.asked == 0
