"""The plug point of measure: what finds one type of signal in one session."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from loopwright.records.baseline import Baseline, Totals
from loopwright.records.event import Event, EventKind
from loopwright.records.signal import Moment

MOST_EVENTS = 50
"""So many events of one moment are kept."""


class Detector:
    """Finds one type of signal. There is a new one for each session; its fields are its settings.

    A subclass is a dataclass: `[signals.error_loop] times = 4` becomes `ErrorLoop(times=4)`.
    """

    kinds: Sequence[EventKind] = ()
    """The events that it wants to see."""
    delight = False
    """Whether what it finds is good news."""

    def see(self, event: Event, call: Event | None) -> Moment | None:
        """Take the next event, with the call that it is the result of; say what it shows, at once.

        A moment that goes on is given again with more events: it is the same one as long as its first event is.
        """
        return None

    def end(self) -> Iterable[Moment]:
        """Say what only the end of the session shows."""
        return ()

    def weigh(self, totals: Totals, baseline: Baseline) -> Moment | None:
        """Hold a whole session against its like."""
        return None
