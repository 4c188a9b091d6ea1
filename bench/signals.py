"""What detectors take, against what it takes to read the same sessions; and what each event costs while a run works.

The sessions are those of bench/scan.py; where LOOPWRIGHT_TRANSCRIPTS names a folder of real ones, those as well.
"""

from __future__ import annotations

import lzma
import os
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from pathlib import Path

import scan
from loopwright.guard.redact import Masker
from loopwright.ingest.files import find_files
from loopwright.ingest.scan import Scan
from loopwright.measure.detector import Detector
from loopwright.measure.measuring import KINDS
from loopwright.measure.watch import Watch
from loopwright.records.event import Event
from loopwright.registry import DETECTORS, FORMATS, kinds, load, names
from loopwright.run.looking import Looking
from loopwright.store import open_store

MAX_RATIO, MAX_EVENT_MS = 1.0, 1.0
ROUNDS = 3
Session = tuple[str, Sequence[Event]]


def measure() -> list[str]:
    rows: list[str] = []
    for what, sessions in _kinds_of_sessions():
        with sessions as folder:
            rows += _measure(what, folder)
    return rows


def _kinds_of_sessions() -> Iterator[tuple[str, AbstractContextManager[Path]]]:
    yield "made-up sessions", _made_up()
    if real := os.environ.get("LOOPWRIGHT_TRANSCRIPTS"):
        yield "real sessions", _unpacked(Path(real))


@contextmanager
def _made_up() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        for number in range(scan.SESSIONS):
            (Path(folder) / f"{number}.jsonl").write_bytes(b"".join(scan.session(number)))
        yield Path(folder)


@contextmanager
def _unpacked(real: Path) -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        for path in real.glob("*.xz"):
            (Path(folder) / path.stem).write_bytes(lzma.decompress(path.read_bytes()))
        yield Path(folder)


def _measure(what: str, folder: Path) -> list[str]:
    took, sessions = min((_read(folder) for _ in range(ROUNDS)), key=lambda read: read[0])
    count = sum(len(events) for _, events in sessions)
    _detect(sessions[:1])  # prices are loaded once, by whoever is first
    detecting = min(_detect(sessions) for _ in range(ROUNDS))
    ratio = detecting / took
    told = f"{ratio:.2f} times ({detecting:.2f} s, {count:,} events)"
    each = sorted(_live(sessions))
    mean, slow = sum(each) / len(each) * 1000, each[int(len(each) * 0.99)] * 1000
    live = f"{mean:.3f} ms, 1 in 100 over {slow:.2f} ms|{MAX_EVENT_MS:.0f} ms"
    return [
        f"signals: {what}, against reading|{told}|{MAX_RATIO:.0f} times|{'ok' if ratio <= MAX_RATIO else 'OVER'}",
        f"signals: {what}, live, an event|{live}|{'ok' if mean <= MAX_EVENT_MS else 'OVER'}",
    ]


def _read(folder: Path) -> tuple[float, list[Session]]:
    """Bring sessions into a store; give what that took, and their events."""
    with tempfile.TemporaryDirectory() as home, open_store(Path(home) / "store.sqlite", kinds) as store:
        formats = {name: load(FORMATS, name)() for name in names(FORMATS)}
        began = time.process_time()
        runs = Scan(store.observed, formats, Masker({})).scan(list(find_files([folder]))).runs
        took = time.process_time() - began
        return took, [(name, [event for part in store.measured.events(name, KINDS) for event in part]) for name in runs]


def _watch(run_id: str) -> Watch:
    return Watch(run_id, {name: kind() for name, kind in _detectors().items()})


@cache
def _detectors() -> Mapping[str, type[Detector]]:
    return {name: load(DETECTORS, name) for name in names(DETECTORS)}


def _detect(sessions: Sequence[Session]) -> float:
    began = time.process_time()
    for run_id, events in sessions:
        watch = _watch(run_id)
        watch.see(events)
        watch.end()
    return time.process_time() - began


def _live(sessions: Sequence[Session]) -> Iterator[float]:
    for run_id, events in sessions:
        looking = Looking(_watch(run_id))
        for event in events:
            began = time.perf_counter()
            looking.see(event)
            yield time.perf_counter() - began
