"""Events in and out of their table: the hot path."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from sqlalchemy import Connection, Dialect, func, insert, select

from loopwright.records.event import Event
from loopwright.store import rollups
from loopwright.store.columns import storable, to_json
from loopwright.store.schema import events

_FIELDS = [events.c[name] for name in Event.__dataclass_fields__]


def append(connection: Connection, run_id: str, batch: Sequence[Event]) -> None:
    """Write new events of a run, and count them."""
    # Core would process each value of each row by itself, which takes longer than the database does.
    statement, positional = _insert(connection.dialect)
    rows: list[Any] = [_values(run_id, event) for event in batch]
    if not positional:
        rows = [dict(zip(events.c.keys(), row, strict=True)) for row in rows]
    connection.exec_driver_sql(statement, rows)
    rollups.add(connection, run_id, batch)


def of(connection: Connection, run_id: str, after: int, limit: int | None) -> list[Event]:
    """Read a run's events with numbers above `after`, in order."""
    chosen = select(*_FIELDS).where(events.c.run_id == run_id, events.c.seq > after)
    found = connection.execute(chosen.order_by(events.c.seq).limit(limit))
    return [Event(*row) for row in found]


def last_seq(connection: Connection, run_id: str) -> int:
    """Read the number of a run's newest event; 0 where there is none."""
    newest = select(func.coalesce(func.max(events.c.seq), 0)).where(events.c.run_id == run_id)
    return int(connection.execute(newest).scalar_one())


@lru_cache(maxsize=8)
def _insert(dialect: Dialect) -> tuple[str, bool]:
    compiled = insert(events).compile(dialect=dialect)
    return str(compiled), bool(compiled.positional)


def _values(run_id: str, event: Event) -> tuple[Any, ...]:
    """Give an event's values in the order of the table's columns."""
    return (
        run_id,
        event.seq,
        event.at,
        event.attempt_id,
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
