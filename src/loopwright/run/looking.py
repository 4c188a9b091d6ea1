"""A run's events while it works -> signals: to be written, to be told, and to end an attempt that goes in circles."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from loopwright.ports import SignalWatch
from loopwright.records.event import Event, EventKind
from loopwright.records.signal import Signal

_UNSEEN = frozenset({EventKind.RAW, EventKind.STDERR, EventKind.THINKING})
_LOOP = "error_loop"
MakeWatch = Callable[[str], SignalWatch]
"""Makes what looks on, for the run of that id."""


@dataclass
class Looking:
    """Looks on at one run; nothing is seen where there is no watch."""

    watch: SignalWatch | None = None
    end_error_loops: bool = False
    _waiting: dict[str, Signal] = field(default_factory=dict)
    _told: dict[str, str] = field(default_factory=dict)
    _trouble: str = ""
    _faults: set[str] = field(default_factory=set)
    _loop: tuple[str | None, str] = (None, "")

    def see(self, event: Event) -> list[Signal]:
        """Take the next event; give the signals that are news: new ones, and those that have become worse."""
        if self.watch is None or event.kind in _UNSEEN:
            return []
        found = self.watch.see([event])
        for name in [name for name in self.watch.faults if name not in self._faults]:
            self._faults.add(name)
            self._trouble = f"the detector `{name}` went wrong, and looks no further: {self.watch.faults[name]}"
        for signal in found:
            self._waiting[signal.id] = signal
            if self.end_error_loops and signal.type == _LOOP and signal.severity == "high":
                self._loop = (event.attempt_id, " ".join(signal.description.split()))
        news = [signal for signal in found if self._told.get(signal.id) != signal.severity]
        self._told.update((signal.id, signal.severity) for signal in news)
        return news

    def gave_up(self) -> str:
        """Say once that somebody's detector failed."""
        trouble, self._trouble = self._trouble, ""
        return trouble

    def take(self) -> list[Signal]:
        """Give what waits to be written, each signal once."""
        waiting, self._waiting = list(self._waiting.values()), {}
        return waiting

    def loop(self, attempt_id: str) -> str:
        """Say in what loop an attempt is that has to end; empty where it may go on."""
        return self._loop[1] if self._loop[0] == attempt_id else ""
