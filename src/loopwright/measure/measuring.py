"""Runs in the store -> their signals, and how agents went about them, in the store.

What has been looked at by the same detectors is passed over.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol

from loopwright.measure.detector import Detector
from loopwright.measure.practice import Practising
from loopwright.measure.watch import KINDS, Watch
from loopwright.measure.weighing import History, Weighing
from loopwright.records.event import Event, EventKind
from loopwright.records.practice import Practice
from loopwright.records.signal import Signal

VERSION = 7
"""What older rules have found is looked for again."""
Detectors = Callable[[], Mapping[str, Detector]]
"""Makes a new set of them, for one session."""


class MeasureStore(Protocol):
    """Where events are read, and signals written."""

    def unmeasured(self, detectors: str, run_ids: Sequence[str] | None = None) -> Sequence[str]: ...

    def events(self, run_id: str, kinds: Sequence[EventKind]) -> Iterable[Sequence[Event]]: ...

    def save(self, found: Sequence[Signal], practice: Practice, detectors: str) -> None:
        """Write what rules found in a run, in place of what they had found before."""
        ...


class Measuring:
    """Looks for signals in runs that have ended."""

    def __init__(self, store: MeasureStore, detectors: Detectors, history: History | None = None) -> None:
        self._store, self._detectors, self._history = store, detectors, history
        self._name = _name(detectors())
        self.faults: dict[str, str] = {}
        """The detectors that went wrong, and how: of the sessions in which they did they say nothing more."""

    def measure(self, run_ids: Sequence[str] | None = None) -> int:
        """Look at those of some runs, or of all, that are new or have changed; say how many."""
        left = self._store.unmeasured(self._name, run_ids)
        weighing = Weighing(self._history, left, self._detectors()) if self._history and left else None
        for run_id in left:
            self._save(run_id, weighing)
        return len(left)

    def measure_again(self, run_id: str) -> None:
        """Look at a run whether it was looked at before or not: it may have gone on."""
        self._save(run_id, Weighing(self._history, [run_id], self._detectors()) if self._history else None)

    def _save(self, run_id: str, weighing: Weighing | None) -> None:
        found, practice = self.look(run_id)
        weighed = weighing.signals(run_id) if weighing else ()
        self._store.save([*found, *weighed], practice, self._name)

    def look(self, run_id: str) -> tuple[Sequence[Signal], Practice]:
        """Find the signals of one run, and how the agent went about it."""
        watch, practising = Watch(run_id, self._detectors()), Practising(run_id)
        found: dict[str, Signal] = {}
        for part in self._store.events(run_id, KINDS):
            found.update((signal.id, signal) for signal in watch.see(part))
            practising.see(part)
        found.update((signal.id, signal) for signal in watch.end())
        self.faults |= watch.faults
        return list(found.values()), practising.practice()


def _name(detectors: Mapping[str, Detector]) -> str:
    told = [str(VERSION), *(f"{name} {vars(detector)}" for name, detector in sorted(detectors.items()))]
    return hashlib.sha256("\n".join(told).encode()).hexdigest()[:16]
