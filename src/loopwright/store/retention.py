"""Events that are older than anybody wants -> one note in their place; what they came to stays in the rollups."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from typing import Any

from sqlalchemy import Connection, Select, bindparam, delete, func, select, update

from loopwright.records.event import EventKind
from loopwright.records.identity import timestamp
from loopwright.records.run import Status
from loopwright.records.trace import Trace
from loopwright.store.database import Database
from loopwright.store.schema import events, rollups, runs

REMOVED = "removed_events"
"""The key in the data of the note that is left: how many there were."""
Told = Callable[[int, int], None]
"""Called with how many of how many are done."""
_ROWS = 2000
"""How many rows go in one transaction: so long do others wait."""
_RUNS = 200
"""Of how many runs at most."""
_PAGES = 1000
_PAUSE_S = 0.02
"""Between transactions: who waits for SQLite looks again only now and then, and would never find a gap."""


@dataclass(frozen=True)
class Removed:
    """What removing came to."""

    runs: int = 0
    events: int = 0
    unused: int = 0
    """Bytes of the file that hold nothing and could not be given back."""


def traces(connection: Connection) -> list[Trace]:
    """Read where each run's files are."""
    chosen = (runs.c.id, runs.c.status, runs.c.workspace, runs.c.artifacts, runs.c.ended_at)
    return [Trace(*row) for row in connection.execute(select(*chosen).order_by(runs.c.started_at.desc()))]


def remove(database: Database, before: str, told: Told, *, dry_run: bool = False) -> Removed:
    """Remove the events of runs that ended before a moment and wait for nobody, in many small transactions."""
    with database.read() as connection:
        chosen = [run_id for run_id, _, _ in connection.execute(_expired(before))]
        if dry_run:
            expired = select(_expired(before).subquery().c.id)
            counted = select(func.count()).select_from(events).where(events.c.run_id.in_(expired))
            return Removed(len(chosen), connection.execute(counted).scalar_one() - len(chosen))
    left, removed = deque(chosen), 0
    while left:
        with database.write() as connection:
            removed += _slice(connection, left, before)
        time.sleep(_PAUSE_S)
        told(len(chosen) - len(left), len(chosen))
    return Removed(len(chosen), removed, _shrink(database))


def _expired(before: str) -> Select[str, int, int]:
    """Choose the runs that have more than one event left (one is the note, or not worth one), with first and last."""
    its = events.alias()
    first, last = (
        select(end(its.c.seq)).where(its.c.run_id == runs.c.id).scalar_subquery() for end in (func.min, func.max)
    )
    waits = (runs.c.status == Status.ESCALATED) & runs.c.closed_at.is_(None)
    ended = (runs.c.status != Status.RUNNING) & (runs.c.ended_at <= before)
    ours = runs.c.source == ""  # what was brought in could not be brought in again
    return select(runs.c.id, first, last).where(ours, ended, ~waits, first < last).order_by(runs.c.id)


def _slice(connection: Connection, left: deque[str], before: str) -> int:
    """Remove some thousand events, of as many runs as that takes; those that are done leave the queue."""
    head = list(islice(left, _RUNS))
    # Somebody may have taken one up since it was chosen.
    found = {run_id: ends for run_id, *ends in connection.execute(_expired(before).where(runs.c.id.in_(head)))}
    ends: list[dict[str, Any]] = []
    room = _ROWS
    for run_id in head:
        first, last = found.get(run_id, (0, 0))
        end = min(last, first + room)
        room -= end - first
        if end > first:
            ends.append({"its_run": run_id, "end": end})
        if end < last:
            break  # the rest of it goes next time
        left.popleft()
    if not ends:
        return 0
    _note(connection, {row["its_run"]: found[row["its_run"]][1] for row in ends})
    old = delete(events).where(events.c.run_id == bindparam("its_run"), events.c.seq < bindparam("end"))
    return connection.execute(old, ends).rowcount


def _note(connection: Connection, lasts: dict[str, int]) -> None:
    """Put a note in the place of each run's last event, unless it is there already."""
    # Pairs in one condition would make SQLite read all events.
    wanted = (events.c.run_id.in_(list(lasts)), events.c.seq.in_(sorted(set(lasts.values()))))
    found = connection.execute(select(events.c.run_id, events.c.seq, events.c.data).where(*wanted))
    bare = [
        {"its_run": run_id, "its_seq": seq}
        for run_id, seq, data in found
        if seq == lasts[run_id] and REMOVED not in data
    ]
    counts = _counts(connection, [row["its_run"] for row in bare])
    notes = [row | {"data": {REMOVED: counts[row["its_run"]]}, "text": _words(counts[row["its_run"]])} for row in bare]
    if notes:
        empty: dict[str, Any] = {column.name: None for column in events.c if column.nullable}
        note = {"kind": EventKind.NOTE, "at": timestamp(), "is_error": False}
        written: dict[str, Any] = {"text": bindparam("text"), "data": bindparam("data")}
        place = (events.c.run_id == bindparam("its_run"), events.c.seq == bindparam("its_seq"))
        connection.execute(update(events).where(*place).values(empty | note | written), notes)


def _counts(connection: Connection, chosen: list[str]) -> dict[str, int]:
    """Read how many events each run had."""
    total = select(rollups.c.run_id, func.sum(rollups.c.events)).where(rollups.c.run_id.in_(chosen))
    found = {run_id: int(count) for run_id, count in connection.execute(total.group_by(rollups.c.run_id))}
    return {run_id: found.get(run_id, 0) for run_id in chosen}


def _words(count: int) -> str:
    return f"the events of this run were removed by `loopwright gc`: there were {count:,}; what they came to is kept"


def _shrink(database: Database) -> int:
    """Give the room back to the disk, a little at a time; give how many bytes can't be."""
    with database.read() as connection:
        if connection.dialect.name != "sqlite":
            return 0  # PostgreSQL does so by itself
        able = connection.exec_driver_sql("PRAGMA auto_vacuum").scalar() == 2
        size = int(connection.exec_driver_sql("PRAGMA page_size").scalar_one())
    free = _free_pages(database)
    while able and free:
        with database.write() as connection, closing(connection.connection.cursor()) as cursor:
            for _ in range(_PAGES):  # the driver takes one step of it, whatever number it is given
                cursor.execute("PRAGMA incremental_vacuum(1)")
        time.sleep(_PAUSE_S)
        free, before = _free_pages(database), free
        if free >= before:
            break
    return free * size


def _free_pages(database: Database) -> int:
    with database.read() as connection:
        return int(connection.exec_driver_sql("PRAGMA freelist_count").scalar_one())
