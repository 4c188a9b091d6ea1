"""The events of one session -> its signals, as they go by."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

from loopwright.measure.detector import MOST_EVENTS, Detector
from loopwright.measure.meter import Meter
from loopwright.records.event import Event, EventKind
from loopwright.records.signal import Moment, Signal, SignalSource, signal_id
from loopwright.text.bounded import bounded, forget_oldest

_UNSEEN = frozenset({EventKind.RAW, EventKind.STDERR, EventKind.THINKING})
KINDS = [kind for kind in EventKind if kind not in _UNSEEN]
"""The events that are looked at."""
MOST_SIGNALS = 200
"""So many of one type are kept of one session."""
_LONGEST = 1000
_JOINED = frozenset({EventKind.TOOL_RESULT, EventKind.DENIAL, EventKind.REJECTION})
_See = Callable[[Event, Event | None], Moment | None]


class Watch:
    """Looks on at one session with all detectors."""

    def __init__(self, run_id: str, detectors: Mapping[str, Detector]) -> None:
        self._run_id, self._detectors = run_id, detectors
        self._looks: dict[EventKind, list[tuple[str, _See]]] = defaultdict(list)
        for name, detector in detectors.items():
            for kind in detector.kinds:
                self._looks[kind].append((name, detector.see))
        self._meter = Meter()
        self._calls: dict[str, Event] = {}
        self._found: dict[str, Signal] = {}
        self._counts: dict[str, int] = defaultdict(int)
        self.faults: dict[str, str] = {}
        """The detectors that went wrong, and how: they look no further, the others do."""

    def see(self, events: Iterable[Event]) -> Sequence[Signal]:
        """Take the next events; give what they show, also what goes on that they have shown before."""
        found: list[Signal] = []
        for event in events:
            self._meter.add(event)
            if event.kind is EventKind.VERDICT and event.data.get("advisory"):
                continue  # it decides nothing
            call = None
            if event.kind is EventKind.TOOL_CALL:
                if event.call_id:
                    self._calls[event.call_id] = event
                    forget_oldest(self._calls)
            elif event.call_id and event.kind in _JOINED:
                call = self._calls.get(event.call_id)
            for name, look in self._looks.get(event.kind, ()):
                if name in self.faults:
                    continue
                try:
                    moment = look(event, call)
                except Exception as error:  # a detector may be anybody's
                    self.faults[name] = f"{type(error).__name__}: {error}"
                    continue
                if moment:
                    found += self._signal(name, moment)
        return found

    def end(self) -> Sequence[Signal]:
        """Give what only the end shows."""
        found: list[Signal] = []
        for name, detector in self._detectors.items():
            try:
                moments = [] if name in self.faults else list(detector.end())
            except Exception as error:
                self.faults[name] = f"{type(error).__name__}: {error}"
                continue
            for moment in moments:
                found += self._signal(name, moment)
        return found

    def _signal(self, name: str, moment: Moment) -> Sequence[Signal]:
        spent = self._meter.between(moment.events[0], moment.events[-1])
        signal = signal_of(self._run_id, name, moment, self._meter.at, spent)
        if signal.id not in self._found:
            self._counts[name] += 1
            if self._counts[name] > MOST_SIGNALS:
                return ()
        self._found[signal.id] = signal
        return (signal,)


def signal_of(
    run_id: str,
    name: str,
    moment: Moment,
    at: str,
    spent: tuple[float, int, float],
    source: SignalSource = "rule",
) -> Signal:
    """Make a signal of what a detector has seen."""
    events = tuple(moment.events)
    return Signal(
        id=signal_id(run_id, name, events[0], source),
        run_id=run_id,
        type=name,
        severity=moment.severity,
        description=bounded(moment.description, _LONGEST),
        events=events if len(events) <= MOST_EVENTS else (*events[: MOST_EVENTS - 1], events[-1]),
        at=at,
        action=bounded(moment.action, _LONGEST),
        category=moment.category,
        source=source,
        seconds=spent[0],
        tokens=spent[1],
        cost_usd=spent[2],
    )
