"""Events in and out of their table: the hot path."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from sqlalchemy import Connection, Dialect, func, insert, select

from loopwright.records.event import Event, EventKind
from loopwright.store import rollups
from loopwright.store.columns import storable, to_json
from loopwright.store.schema import events

Row = tuple[Any, ...]
_FIELDS = [events.c[name] for name in Event.__dataclass_fields__]


def rows(run_id: str, batch: Sequence[Event]) -> list[Row]:
    """Give events as they are written; nobody has to wait for a database in which it is done."""
    return [_values(run_id, event, event.seq, event.attempt_id) for event in batch]


def numbered(run_id: str, attempt_id: str, first: int, batch: Sequence[Event]) -> list[Row]:
    """Give events as they are written, with numbers from `first` on, as those of an attempt."""
    return [_values(run_id, event, seq, attempt_id) for seq, event in enumerate(batch, first)]


def append(connection: Connection, rows: Sequence[Row], counted: rollups.Prepared) -> None:
    """Write new events of a run, made into rows and counted before."""
    write(connection, rows)
    rollups.add(connection, counted)


def write(connection: Connection, batch: Sequence[Row]) -> None:
    """Write new events, and count nothing."""
    if connection.dialect.name == "postgresql":
        from loopwright.store.postgres import copy_rows  # what a file does not need

        copy_rows(connection, events, batch)
        return
    # Core would process each value of each row by itself, which takes longer than the database does.
    connection.exec_driver_sql(_insert(connection.dialect), list(batch))


def is_there(connection: Connection, run_id: str, batch: Sequence[Event]) -> bool:
    """Say whether the newest event of a run is the newest of this batch: then the batch was written before."""
    last = max(batch, key=lambda event: event.seq)
    found = of(connection, run_id, last.seq - 1, 2)
    return [(event.seq, event.at, event.kind, event.text) for event in found] == [
        (last.seq, last.at, last.kind, storable(last.text))
    ]


def of(
    connection: Connection, run_id: str, after: int, limit: int | None, kind: EventKind | None = None
) -> list[Event]:
    """Read a run's events with numbers above `after`, in order; all, or those of a kind."""
    chosen = select(*_FIELDS).where(events.c.run_id == run_id, events.c.seq > after)
    if kind is not None:
        chosen = chosen.where(events.c.kind == kind)
    found = connection.execute(chosen.order_by(events.c.seq).limit(limit))
    return [Event(*row) for row in found]


def of_kinds(connection: Connection, run_id: str, after: int, limit: int, kinds: Sequence[EventKind]) -> list[Event]:
    """Read the events of a run of some kinds, above a number, in order."""
    chosen = select(*_FIELDS).where(events.c.run_id == run_id, events.c.seq > after, events.c.kind.in_(kinds))
    return [Event(*row) for row in connection.execute(chosen.order_by(events.c.seq).limit(limit))]


def last_seq(connection: Connection, run_id: str) -> int:
    """Read the number of a run's newest event; 0 where there is none."""
    newest = select(func.coalesce(func.max(events.c.seq), 0)).where(events.c.run_id == run_id)
    return int(connection.execute(newest).scalar_one())


@lru_cache(maxsize=8)
def _insert(dialect: Dialect) -> str:
    return str(insert(events).compile(dialect=dialect))


def _values(run_id: str, event: Event, seq: int, attempt_id: str | None) -> Row:
    """Give an event's values in the order of the table's columns."""
    return (
        run_id,
        seq,
        event.at,
        attempt_id,
        event.kind.value,
        storable(event.text),
        event.tool and storable(event.tool),
        event.call_id and storable(event.call_id),
        event.parent_call_id and storable(event.parent_call_id),
        event.command and storable(event.command),
        event.exit_code,
        event.path and storable(event.path),
        event.is_error,
        event.error_kind,
        event.fingerprint,
        event.duration_s,
        to_json(event.data),
    )
