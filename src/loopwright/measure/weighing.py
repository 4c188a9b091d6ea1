"""Whole runs, each held against its like -> signals. The history is read once, however many runs there are."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Protocol

from loopwright.measure.baselines import Baselines
from loopwright.measure.detector import Detector
from loopwright.measure.watch import signal_of
from loopwright.records.baseline import Baseline, Totals
from loopwright.records.outcome import Past
from loopwright.records.signal import Signal


class History(Protocol):
    """Where it is written what runs came to."""

    def history(self, task_types: Collection[str]) -> Sequence[Past]: ...

    def totals(self, run_ids: Sequence[str]) -> Sequence[Totals]: ...


class Weighing:
    """Holds some runs against all that there are."""

    def __init__(self, history: History, run_ids: Sequence[str], detectors: Mapping[str, Detector]) -> None:
        self._detectors = {name: one for name, one in detectors.items() if type(one).weigh is not Detector.weigh}
        found = history.totals(run_ids) if self._detectors else ()
        self._totals = {totals.run_id: totals for totals in found}
        types = {totals.task_type for totals in found}
        self._baselines = Baselines(history.history(types) if types else ())

    def signals(self, run_id: str) -> Sequence[Signal]:
        """Give what stands out of one of them as a whole; nothing of a run that has not ended."""
        totals = self._totals.get(run_id)
        return list(self._weighed(totals, self._baselines.of(totals))) if totals else ()

    def _weighed(self, totals: Totals, baseline: Baseline) -> Iterator[Signal]:
        over = (
            max(0.0, totals.seconds - baseline.seconds.median),
            max(0, totals.tokens - int(baseline.tokens.median)),
            max(0.0, totals.cost_usd - baseline.cost_usd.median),
        )
        for name, detector in self._detectors.items():
            if moment := detector.weigh(totals, baseline):
                spent = (0.0, 0, 0.0) if detector.delight else over
                yield signal_of(totals.run_id, name, moment, totals.at, spent)
