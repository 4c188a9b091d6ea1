"""Events that are older than anybody wants -> one note in their place; what they came to stays in the rollups."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Select, delete, func, select, update

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
        chosen = list(connection.execute(_expired(before)).scalars())
        if dry_run:
            counted = select(func.count()).select_from(events).where(events.c.run_id.in_(_expired(before)))
            return Removed(len(chosen), connection.execute(counted).scalar_one() - len(chosen))
    left, removed = deque(chosen), 0
    while left:
        with database.write() as connection:
            removed += _slice(connection, left, before)
        time.sleep(_PAUSE_S)
        told(len(chosen) - len(left), len(chosen))
    return Removed(len(chosen), removed, _shrink(database))


def _expired(before: str) -> Select[str]:
    """Choose the runs that have more than one event left: that one is the note, or not worth one."""
    its = events.alias()
    first, last = (select(end(its.c.seq)).where(its.c.run_id == runs.c.id) for end in (func.min, func.max))
    waits = (runs.c.status == Status.ESCALATED) & runs.c.closed_at.is_(None)
    ended = (runs.c.status != Status.RUNNING) & (runs.c.ended_at <= before)
    several = first.scalar_subquery() < last.scalar_subquery()
    return select(runs.c.id).where(ended, ~waits, several).order_by(runs.c.id)


def _slice(connection: Connection, left: deque[str], before: str) -> int:
    """Remove some thousand events, of as many runs as that takes; those that are done leave the queue."""
    room = _ROWS
    while left and room > 0:
        run_id = left[0]
        # Somebody may have taken it up since it was chosen.
        if run_id not in connection.execute(_expired(before).where(runs.c.id == run_id)).scalars():
            left.popleft()
            continue
        last = _note(connection, run_id)
        first = connection.execute(select(func.min(events.c.seq)).where(events.c.run_id == run_id)).scalar_one()
        end = min(last, first + room)
        old = delete(events).where(events.c.run_id == run_id, events.c.seq < end)
        room -= connection.execute(old).rowcount
    return _ROWS - room


def _note(connection: Connection, run_id: str) -> int:
    """Put a note in the place of a run's last event, unless it is there already; give its number."""
    newest = select(events.c.seq, events.c.data).where(events.c.run_id == run_id).order_by(events.c.seq.desc()).limit(1)
    seq, data = connection.execute(newest).one()
    if REMOVED not in data:
        total = select(func.sum(rollups.c.events)).where(rollups.c.run_id == run_id)
        count = int(connection.execute(total).scalar() or 0)
        empty: dict[str, Any] = {column.name: None for column in events.c if column.nullable}
        words = (
            f"the events of this run were removed by `loopwright gc`: there were {count:,}; what they came to is kept"
        )
        note = {"kind": EventKind.NOTE, "at": timestamp(), "text": words, "is_error": False, "data": {REMOVED: count}}
        connection.execute(update(events).where(events.c.run_id == run_id, events.c.seq == seq).values(empty | note))
    return int(seq)


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
