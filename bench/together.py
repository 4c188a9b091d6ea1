"""How fast the store takes events from eight processes at once, each with a run of its own."""

from __future__ import annotations

import multiprocessing
import tempfile
import time
from pathlib import Path
from typing import Any

import events
from loopwright.store import open_store

PROCESSES, EVENTS = 8, 25_000
MIN_A_SECOND = 100_000


def measure() -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "store.db")
        open_store(path, events.no_kinds).close()
        seconds, failed = _together(path)
        with open_store(path, events.no_kinds) as store:
            assert failed or sum(store.last_seq(run_id) for run_id in _runs(store)) == PROCESSES * EVENTS
    a_second = PROCESSES * EVENTS / seconds
    state = "ok" if a_second >= MIN_A_SECOND and not failed else "OVER"
    figures = f"{a_second:,.0f} a second, {failed} locked out"
    return [f"events from {PROCESSES} processes to SQLite|{figures}|at least {MIN_A_SECOND:,}|{state}"]


def _runs(store: Any) -> list[str]:
    return [row["run_id"] for row in store.view("run_summary")]


def _together(path: str) -> tuple[float, int]:
    """Let all begin at the same moment; give the time until the last one is done, and how many failed."""
    context = multiprocessing.get_context("spawn")
    barrier = context.Barrier(PROCESSES + 1)
    processes = [context.Process(target=_write, args=(path, barrier)) for _ in range(PROCESSES)]
    for process in processes:
        process.start()
    barrier.wait()
    began = time.perf_counter()
    for process in processes:
        process.join()
    return time.perf_counter() - began, sum(process.exitcode != 0 for process in processes)


def _write(path: str, barrier: Any) -> None:
    with open_store(path, events.no_kinds) as store:
        attempt = events.started(store)
        batches = [
            [events.make_event(attempt.id, seq) for seq in range(first, first + events.BATCH)]
            for first in range(1, EVENTS + 1, events.BATCH)
        ]
        barrier.wait()
        for batch in batches:
            store.append_events(attempt.run_id, batch)
