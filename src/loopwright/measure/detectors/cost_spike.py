"""Tokens or money far over what is usual for the task type."""

from __future__ import annotations

from dataclasses import dataclass

from loopwright.measure.beside import deviations, times
from loopwright.measure.detector import Detector
from loopwright.records.baseline import Baseline, Totals, Usual
from loopwright.records.signal import Moment


@dataclass
class CostSpike(Detector):
    """Finds `cost_spike`."""

    factor: float = 2.0
    """So many times the median it has to be."""
    deviations: float = 3.5
    """So far out it has to be, in robust standard deviations of the logarithm."""
    fewest: int = 10
    """With fewer runs of its like, nobody knows what is usual."""

    def weigh(self, totals: Totals, baseline: Baseline) -> Moment | None:
        found = []
        if self._is_far(totals.cost_usd, baseline.cost_usd):
            usual = baseline.cost_usd
            found.append(f"${totals.cost_usd:.2f}, {_beside(totals.cost_usd, usual)} (${usual.median:.2f})")
        if self._is_far(totals.tokens, baseline.tokens):
            usual = baseline.tokens
            found.append(f"{totals.tokens:,} tokens, {_beside(totals.tokens, usual)} ({usual.median:,.0f})")
        if not found:
            return None
        most = max(times(totals.cost_usd, baseline.cost_usd), times(totals.tokens, baseline.tokens))
        return Moment(
            [totals.last_seq],
            f"it used {' and '.join(found)}; such tasks: {totals.task_type}",
            "look at which calls brought so much into the context, and give it less to read or a cheaper model",
            "high" if most >= self.factor**3 else "medium",
            category="money" if found[0].startswith("$") else "tokens",
        )

    def _is_far(self, value: float, usual: Usual) -> bool:
        enough = usual.count >= self.fewest and times(value, usual) >= self.factor
        return enough and deviations(value, usual) >= self.deviations


def _beside(value: float, usual: Usual) -> str:
    return f"{times(value, usual):.1f} times the median of {usual.count:,}"
