"""Signals while a run works: which are news, what is written, and which loop ends an attempt."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from dataclasses import dataclass

from loopwright.measure.detector import Detector
from loopwright.measure.detectors.error_loop import ErrorLoop
from loopwright.measure.watch import Watch
from loopwright.records.event import Event, EventKind
from loopwright.records.signal import Moment, Signal
from loopwright.run.looking import Looking
from measure.stretches import Stretch


def loop(times: int, attempt_id: str = "a1") -> list[Event]:
    stretch = Stretch()
    for _ in range(times):
        stretch.ran("make  all", "make: *** No rule", exit_code=2)
    return [dataclasses.replace(event, attempt_id=attempt_id) for event in stretch.events]


def looking(*, end_error_loops: bool = False) -> Looking:
    return Looking(Watch("r1", {"error_loop": ErrorLoop()}), end_error_loops)


def seen(looker: Looking, events: Iterable[Event]) -> list[Signal]:
    return [signal for event in events for signal in looker.see(event)]


@dataclass
class Broken(Detector):
    """A detector of somebody that fails."""

    kinds = tuple(EventKind)

    def see(self, event: Event, call: Event | None) -> Moment | None:
        raise KeyError("oh")


def broken() -> Looking:
    return Looking(Watch("r1", {"broken": Broken(), "error_loop": ErrorLoop()}))


def test_news_are_told_once() -> None:
    """A signal is news when it is new and when it becomes worse, and is written each time that it has grown."""
    looker, events = looking(), loop(8)
    assert [signal.severity for signal in seen(looker, events)] == ["medium", "high"]
    assert [len(signal.events) for signal in looker.take()] == [8]
    assert looker.take() == []


def test_a_severe_loop_ends_its_attempt() -> None:
    """Where it is asked for, six tries end the attempt that they are of, and no other."""
    looker = looking(end_error_loops=True)
    seen(looker, loop(5))
    assert looker.loop("a1") == ""
    seen(looker, loop(6))
    assert "failed 6 times in a row with the same error: `make all`" in looker.loop("a1")
    assert looker.loop("a2") == ""


def test_nothing_ends_unless_it_is_asked_for() -> None:
    """By default a loop is told, and nothing else."""
    looker = looking()
    seen(looker, loop(9))
    assert looker.loop("a1") == ""


def test_nobody_looks() -> None:
    """Without a watch nothing is seen, and what agents print on the side is not looked at."""
    assert seen(Looking(), loop(9)) == []
    looker = broken()
    assert (looker.see(Event(EventKind.STDERR, "x")), looker.gave_up()) == ([], "")


def test_a_detector_that_fails() -> None:
    """Somebody's detector that fails is said once, and not asked again; the others look on."""
    looker = broken()
    assert [signal.type for signal in seen(looker, loop(3))] == ["error_loop"]
    assert looker.gave_up() == "the detector `broken` went wrong, and looks no further: KeyError: 'oh'"
    assert looker.gave_up() == ""
