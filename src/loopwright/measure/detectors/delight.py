"""The human is pleased with what the agent did, or it passed faster, cheaper or sooner than its like."""

from __future__ import annotations

from dataclasses import dataclass, field

from loopwright.measure.beside import deviations, duration, times
from loopwright.measure.detector import Detector
from loopwright.records.baseline import Baseline, Totals, Usual
from loopwright.records.event import Event, EventKind
from loopwright.records.signal import Moment
from loopwright.text.human_words import praising


@dataclass
class Delight(Detector):
    """Finds `delight`."""

    praise: bool = True
    """Whether a human's praise counts."""
    factor: float = 2.0
    """So many times it has to fit into the median."""
    deviations: float = 2.5
    """So far out it has to be, in robust standard deviations of the logarithm."""
    fewest: int = 10
    """With fewer runs of its like, nobody knows what is usual."""
    kinds = (EventKind.PROMPT, EventKind.MESSAGE, EventKind.TOOL_CALL)
    delight = True
    _worked: bool = field(default=False, init=False, repr=False)
    """Whether the agent did or said something since the human spoke last."""

    def see(self, event: Event, call: Event | None) -> Moment | None:
        if event.parent_call_id:
            return None
        if event.kind is not EventKind.PROMPT:
            self._worked = self._worked or event.kind is EventKind.TOOL_CALL or bool(event.text.strip())
            return None
        worked, self._worked = self._worked, False
        words = praising(event.text) if worked and self.praise else ""
        if not words:
            return None
        description = f"the human praised what the agent had done: {words[:200]}"
        return Moment((event.seq,), description, "see what went well here, and keep it", "low", "praise")

    def weigh(self, totals: Totals, baseline: Baseline) -> Moment | None:
        if not totals.passed:
            return None  # what was given up early is fast and cheap as well
        found = []
        if self._is_less(totals.seconds, baseline.seconds):
            found.append(f"in {duration(totals.seconds)}, where the median is {duration(baseline.seconds.median)}")
        if self._is_less(totals.cost_usd, baseline.cost_usd):
            found.append(f"for ${totals.cost_usd:.2f}, where the median is ${baseline.cost_usd.median:.2f}")
        usual = baseline.iterations
        if totals.iterations == 1 and usual.count >= self.fewest and usual.median >= self.factor:
            found.append(f"at once, where the median is {usual.median:g} iterations")
        if not found:
            return None
        words = f"a {totals.task_type} task passed {' and '.join(found)}"
        return Moment([totals.last_seq], words, "see what it did differently, and keep it", "low", "baseline")

    def _is_less(self, value: float, usual: Usual) -> bool:
        enough = usual.count >= self.fewest and 0 < times(value, usual) <= 1 / self.factor
        return enough and deviations(value, usual) <= -self.deviations
