"""A task takes twice its expected time or more, and more than such tasks differ anyway."""

from __future__ import annotations

from dataclasses import dataclass

from loopwright.measure.beside import deviations, duration, times
from loopwright.measure.detector import Detector
from loopwright.records.baseline import Baseline, Totals
from loopwright.records.signal import Moment


@dataclass
class Timeout(Detector):
    """Finds `timeout`."""

    factor: float = 2.0
    """So many times the median it has to take."""
    deviations: float = 3.0
    """So far out it has to be, in robust standard deviations of the logarithm."""
    fewest: int = 10
    """With fewer runs of its like, nobody knows what is usual."""

    def weigh(self, totals: Totals, baseline: Baseline) -> Moment | None:
        usual = baseline.seconds
        took = times(totals.seconds, usual)
        if usual.count < self.fewest or took < self.factor or deviations(totals.seconds, usual) < self.deviations:
            return None
        return Moment(
            [totals.last_seq],
            f"it took {duration(totals.seconds)}, {took:.1f} times the median of {usual.count:,} {totals.task_type} "
            f"tasks ({duration(usual.median)})",
            "look at where the time went, and split the task or tell the agent sooner what it did not find out",
            "high" if took >= self.factor * self.factor else "medium",
        )
