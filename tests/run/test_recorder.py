from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from loopwright import FileCriteria, Profile, Task
from loopwright.measure.detector import Detector
from loopwright.measure.detectors.error_loop import ErrorLoop
from loopwright.measure.watch import Watch
from loopwright.records.event import Event, EventKind
from loopwright.records.run import Run, Step
from loopwright.records.signal import Moment, Signal
from loopwright.registry import kinds
from loopwright.run.looking import Looking
from loopwright.run.recorder import Recorder
from loopwright.store.opening import open_store
from loopwright.store.store import Store
from loopwright.watching import Nobody


class Watching(Nobody):
    def __init__(self) -> None:
        self.seen: list[Event] = []

        self.signals: list[Signal] = []

    def event(self, run: Run, event: Event) -> None:
        self.seen.append(event)

    def signal(self, run: Run, signal: Signal) -> None:
        self.signals.append(signal)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "store.sqlite", kinds) as opened:
        yield opened


@pytest.fixture
def run(store: Store) -> Run:
    task = Task("x", [FileCriteria("a")])
    made = Run("r1", task, Profile(), "/repo", "base", "branch", "/w", "/a", task.budget, "2026-01-01T00:00:00.000Z")
    store.add_run(made, Step("s1", "r1"))
    return made


def texts(store: Store) -> Sequence[tuple[int, str]]:
    return [(event.seq, event.text) for event in store.events("r1")]


def test_events_are_numbered_timed_and_written(store: Store, run: Run) -> None:
    """Every event has the next number and a time, and is in the store after a flush; the watcher saw the same."""
    watcher = Watching()
    recorder = Recorder(store, run, watcher)
    for text in ("a", "b", "c"):
        recorder.add(Event(EventKind.MESSAGE, text), None)
    recorder.flush()
    assert texts(store) == [(1, "a"), (2, "b"), (3, "c")]
    assert list(store.events("r1")) == watcher.seen
    assert all(event.at.endswith("Z") for event in watcher.seen)


def test_numbers_go_on(store: Store, run: Run) -> None:
    """A recorder that takes a run up goes on where the last one ended."""
    for text in ("a", "b"):
        recorder = Recorder(store, run, Nobody())
        recorder.add(Event(EventKind.MESSAGE, text))
        recorder.flush()
    assert texts(store) == [(1, "a"), (2, "b")]


def test_a_batch_is_written_by_itself(store: Store, run: Run) -> None:
    """Never do five hundred events wait: they are written without a flush."""
    recorder = Recorder(store, run, Nobody())
    for number in range(500):
        recorder.add(Event(EventKind.MESSAGE, str(number)))
    assert len(texts(store)) > 0


def test_what_waits_is_written_soon(store: Store, run: Run) -> None:
    """An event waits 0.2 seconds at the most, as long as somebody ticks."""
    recorder = Recorder(store, run, Nobody())
    recorder.add(Event(EventKind.MESSAGE, "a"))
    time.sleep(0.25)
    recorder.tick()
    assert texts(store) == [(1, "a")]


def test_from_several_threads(store: Store, run: Run) -> None:
    """Numbers stay without gaps and in order when several threads add."""
    recorder = Recorder(store, run, Nobody())
    threads = [
        threading.Thread(target=lambda: [recorder.add(Event(EventKind.MESSAGE, "x")) for _ in range(300)])
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    recorder.flush()
    assert [seq for seq, _ in texts(store)] == list(range(1, 1201))


def test_signals_are_told_at_once_and_written_with_the_events(store: Store, run: Run) -> None:
    """What the events show is told when it is seen, and is in the store after the same flush."""
    watcher = Watching()
    recorder = Recorder(store, run, watcher, Looking(Watch("r1", {"error_loop": ErrorLoop()})))
    failing = Event(EventKind.TOOL_RESULT, "No rule", tool="Bash", command="make", is_error=True)
    for _ in range(3):
        recorder.add(failing)
    assert [(signal.type, signal.events) for signal in watcher.signals] == [("error_loop", (1, 2, 3))]
    recorder.flush()
    [written] = store.measured.signals(["r1"])
    assert written == watcher.signals[0]
    for _ in range(3):
        recorder.add(failing)
    recorder.flush()
    assert [signal.severity for signal in store.measured.signals(["r1"])] == ["high"]


def test_a_watch_that_fails_is_a_note(store: Store, run: Run) -> None:
    """Somebody's detector that fails ends nothing: it is noted, and the events go on."""

    @dataclass
    class Broken(Detector):
        kinds = (EventKind.MESSAGE,)

        def see(self, event: Event, call: Event | None) -> Moment | None:
            raise ValueError("no")

    recorder = Recorder(store, run, Nobody(), Looking(Watch("r1", {"broken": Broken()})))
    for text in ("a", "b"):
        recorder.add(Event(EventKind.MESSAGE, text))
    recorder.flush()
    assert texts(store) == [
        (1, "a"),
        (2, "the detector `broken` went wrong, and looks no further: ValueError: no"),
        (3, "b"),
    ]
