"""How fast the store takes events: 200,000 in batches of 500, through the store's own door."""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from loopwright.errors import UnknownName
from loopwright.records.budget import Budget
from loopwright.records.criterion import Criterion
from loopwright.records.event import Event, EventKind
from loopwright.records.identity import new_id, timestamp
from loopwright.records.profile import Profile
from loopwright.records.run import Attempt, Run, Step
from loopwright.records.task import Task
from loopwright.store import Store, open_store

EVENTS, BATCH = 200_000, 500
MAX_SECONDS, MAX_MB = 10.0, 150.0
OUTPUT = "tests/test_auth.py::test_login PASSED in 0.01s — ok\n" * 4


def measure() -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "store.db"
        with open_store(path, no_kinds) as store:
            attempt = started(store)
            seconds = 0.0
            for first in range(1, EVENTS + 1, BATCH):
                batch = [make_event(attempt.id, seq) for seq in range(first, first + BATCH)]
                began = time.perf_counter()  # making them is not the store's work
                store.append_events(attempt.run_id, batch)
                seconds += time.perf_counter() - began
            assert store.last_seq(attempt.run_id) == EVENTS
        size_mb = path.stat().st_size / 1e6
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3)
    state = "ok" if seconds <= MAX_SECONDS and peak_mb <= MAX_MB else "OVER"
    figures = f"{seconds:.1f} s, {peak_mb:.0f} MB of memory, {size_mb:.0f} MB on disk"
    return [f"recording {EVENTS:,} events to SQLite|{figures}|{MAX_SECONDS:.0f} s, {MAX_MB:.0f} MB|{state}"]


def make_event(attempt_id: str, seq: int) -> Event:
    """Give what agents say in turn: some text, a call, its result, and now and then a failure."""
    at, call = timestamp(1.7e9 + seq / 50), f"toolu_{seq // 3:020d}"
    if seq % 3 == 0:
        data = {"input": {"command": "pytest -q", "description": "Run the tests"}, "model": "some-model"}
        return Event(EventKind.TOOL_CALL, "pytest -q", "Bash", call, data=data, attempt_id=attempt_id, seq=seq, at=at)
    if seq % 3 == 1:
        failed = seq % 30 == 1
        result = Event(EventKind.TOOL_RESULT, OUTPUT, "Bash", call, command="pytest -q", exit_code=int(failed))
        kind, mark = ("EXIT_ERROR", "5f2a9c01d4e7b863") if failed else (None, None)
        parts = {"is_error": failed, "error_kind": kind, "fingerprint": mark, "duration_s": 0.8}
        return replace(result, **parts, attempt_id=attempt_id, seq=seq, at=at)
    return Event(EventKind.MESSAGE, "Now I look at what the tests say. " * 3, attempt_id=attempt_id, seq=seq, at=at)


def started(store: Store) -> Attempt:
    run_id, step_id, now = new_id(), new_id(), timestamp()
    run = Run(
        id=run_id,
        task=Task("Measure the store", [Criterion()]),
        profile=Profile(),
        repository="/repository",
        base="HEAD",
        branch="main",
        workspace="/workspace",
        artifacts="/artifacts",
        budget=Budget(),
        started_at=now,
    )
    store.add_run(run, Step(step_id, run_id))
    attempt = Attempt(new_id(), run_id, step_id, 1, now)
    store.save_attempt(attempt)
    return attempt


def no_kinds(name: str) -> type[Criterion]:
    raise UnknownName("criterion", name, ())
