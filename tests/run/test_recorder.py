from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from loopwright import FileCriteria, Profile, Task
from loopwright.records.event import Event, EventKind
from loopwright.records.run import Run, Step
from loopwright.registry import kinds
from loopwright.run.recorder import Recorder
from loopwright.store.opening import open_store
from loopwright.store.store import Store
from loopwright.watching import Nobody


class Watching(Nobody):
    def __init__(self) -> None:
        self.seen: list[Event] = []

    def event(self, run: Run, event: Event) -> None:
        self.seen.append(event)


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
