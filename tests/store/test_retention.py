"""Old events go, and what they came to stays."""

from __future__ import annotations

import dataclasses
import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from loopwright.records.event import Event, EventKind
from loopwright.records.run import Reason, Run, Status
from loopwright.store import Store, open_store
from loopwright.store.retention import REMOVED, Removed

from .samples import kinds, make_check, make_run, make_step, numbered

OLD, LIMIT, NEW = "2026-01-02T00:00:00.000Z", "2026-02-01T00:00:00.000Z", "2026-03-01T00:00:00.000Z"


def ended(store: Store, at: str | None = OLD, events: int = 5, **changes: Any) -> Run:
    """Put a run into the store that has ended, with calls of a tool as its events."""
    parts = {"status": Status.DONE, "reason": Reason.CRITERIA_MET, "ended_at": at} | changes
    run = make_run(**parts)
    store.add_run(run, make_step(run))
    calls = (Event(EventKind.TOOL_CALL, "x" * 500, "Bash", error_kind="EXIT_ERROR") for _ in range(events))
    store.append_events(run.id, numbered(*calls))
    return run


def test_counts_outlive_events(store: Store) -> None:
    """A note with the last number is left of an old run's events; summary, tools and checks are as they were."""
    run = ended(store)
    store.add_checks([make_check(run.id)])
    views = [store.view(name) for name in ("run_summary", "tool_usage")]
    assert store.remove_events(LIMIT) == Removed(runs=1, events=4)
    assert [store.view(name) for name in ("run_summary", "tool_usage")] == views
    (note,) = store.events(run.id)
    assert (note.kind, note.seq, note.data) == (EventKind.NOTE, 5, {REMOVED: 5})
    assert "there were 5" in note.text
    assert (note.tool, note.error_kind, note.call_id) == (None, None, None)
    assert store.last_seq(run.id) == 5
    assert len(store.checks(run.id)) == 1
    assert store.view("errors") == []
    assert store.remove_events(LIMIT) == Removed()


def test_what_is_kept(store: Store) -> None:
    """Runs that ended lately, are at work or wait for a human keep their events; a closed one does not wait."""
    kept = [
        ended(store, NEW),
        ended(store, None, status=Status.RUNNING, reason=None),
        ended(store, status=Status.ESCALATED, reason=Reason.STALLED),
    ]
    closed = ended(store, status=Status.ESCALATED, reason=Reason.STALLED, closed_at=OLD, closed_reason="no")
    cancelled = ended(store, status=Status.CANCELLED, reason=Reason.CRITERIA_UNMET)
    assert store.remove_events(LIMIT) == Removed(runs=2, events=8)
    assert [len(store.events(run.id)) for run in kept] == [5, 5, 5]
    assert [len(store.events(run.id)) for run in (closed, cancelled)] == [1, 1]


def test_dry_run_counts(store: Store) -> None:
    """What would go is counted, and stays."""
    runs = [ended(store), ended(store, events=3), ended(store, NEW)]
    assert store.remove_events(LIMIT, dry_run=True) == Removed(runs=2, events=6)
    assert [len(store.events(run.id)) for run in runs] == [5, 3, 5]


def test_a_run_that_goes_on_is_removed_again_later(store: Store) -> None:
    """New events come after the note; when they are old as well, one note is left of all of them."""
    run = ended(store)
    store.remove_events(LIMIT)
    store.append_events(run.id, numbered(*(Event(EventKind.MESSAGE) for _ in range(3)), first=6))
    assert [event.seq for event in store.events(run.id)] == [5, 6, 7, 8]
    assert store.remove_events(LIMIT) == Removed(runs=1, events=3)
    (note,) = store.events(run.id)
    assert (note.seq, note.data) == (8, {REMOVED: 8})


def test_many_events_go_in_slices(store: Store) -> None:
    """A run with more events than go at once takes several transactions, and small runs share one."""
    ended(store, events=5_000)
    for _ in range(3):
        ended(store, events=2)
    seen: list[tuple[int, int]] = []
    assert store.remove_events(LIMIT, lambda done, total: seen.append((done, total))) == Removed(4, 5_002)
    assert seen == [(0, 4), (0, 4), (4, 4)]


def test_a_run_that_is_taken_up_meanwhile_keeps_its_events(store: Store) -> None:
    """What was chosen is looked at again before it goes."""
    first, second = (ended(store, events=2001) for _ in range(2))

    def told(done: int, total: int) -> None:
        store.save_run(dataclasses.replace(second, status=Status.RUNNING, reason=None, ended_at=None))

    store.remove_events(LIMIT, told)
    assert (len(store.events(first.id)), len(store.events(second.id))) == (1, 2001)


@pytest.mark.parametrize("vacuum", ["INCREMENTAL", "NONE"])
def test_the_file_gets_smaller(tmp_path: Path, vacuum: str) -> None:
    """The room goes back to the disk; from an older file, which can't give it, it is told."""
    path = tmp_path / "store.sqlite"
    with open_store(path, kinds) as store:
        ended(store, events=20_000)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA auto_vacuum = {vacuum}")
        connection.execute("VACUUM")
    before = path.stat().st_size
    with open_store(path, kinds) as store:
        removed = store.remove_events(LIMIT)
    assert removed.events == 19_999
    if vacuum == "INCREMENTAL":
        assert removed.unused == 0
        assert path.stat().st_size < before / 10
    else:
        assert before * 0.9 < removed.unused <= path.stat().st_size <= before


def test_writers_are_not_held_up(place: str) -> None:
    """Somebody who writes while much is removed never waits for all of it; a busy machine gets three tries."""
    with open_store(place, kinds) as store, open_store(place, kinds) as other:
        run, tries = ended(other, NEW, events=1), list[tuple[list[float], float]]()
        while len(tries) < 3 and not any(_is_fair(*one) for one in tries):
            ended(store, events=20_000)
            tries.append(_written_meanwhile(store, other, run))
    assert any(_is_fair(*one) for one in tries), tries


def _written_meanwhile(store: Store, other: Store, run: Run) -> tuple[list[float], float]:
    """Write while events are removed; give how long each write waited, and how long all of it took."""
    waits, seq = list[float](), other.last_seq(run.id)
    with ThreadPoolExecutor(1) as pool:
        began = time.monotonic()
        removing = pool.submit(store.remove_events, LIMIT)
        while not removing.done():
            seq, start = seq + 1, time.monotonic()
            other.append_events(run.id, numbered(Event(EventKind.MESSAGE), first=seq))
            waits.append(time.monotonic() - start)
        assert removing.result().events == 19_999
        return waits, time.monotonic() - began


def _is_fair(waits: list[float], taken: float) -> bool:
    return len(waits) > 5 and max(waits) < max(taken / 2, 0.5)
