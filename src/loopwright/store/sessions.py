"""Sessions that ran elsewhere, in and out of their tables: many of them at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from sqlalchemy import Connection, Table, delete, select
from sqlalchemy.dialects import sqlite

from loopwright.records.event import Event, EventKind
from loopwright.records.session import Observation, Session, Source
from loopwright.store import attempts as _attempts
from loopwright.store import events as _events
from loopwright.store import outcomes as _outcomes
from loopwright.store import rollups as _rollups
from loopwright.store import runs as _runs
from loopwright.store.batches import batches
from loopwright.store.schema import (
    attempts,
    daily_usage,
    events,
    rollups,
    runs,
    session_marks,
    session_news,
    sessions,
    sources,
    steps,
)
from loopwright.store.schema_measured import measured
from loopwright.store.tokens import to_columns

_TELLING = (EventKind.TOOL_CALL, EventKind.USAGE)
"""Who has none of these has nothing to count."""


def save(connection: Connection, batch: Sequence[Observation]) -> None:
    """Write sessions, or more of them; the first part of one replaces what was there of it."""
    if not batch:
        return
    begun = [one.run.id for one in batch if one.first == 1]
    for table in (events, rollups, session_marks):
        remove(connection, table, begun)
    for table in (daily_usage, measured):
        remove(connection, table, [one.run.id for one in batch])
    upsert(connection, runs, [_runs.row_of(one.run) for one in batch])
    upsert(connection, steps, [vars(one.step) for one in batch])
    upsert(connection, attempts, [_attempts.row_of(one.attempt) for one in batch])
    _save(connection, [one.session for one in batch])
    _save_marks(connection, [_marks(one.run.id, one.first, one.events, one.heads) for one in batch])
    for one in batch:
        if one.events:
            rows = _events.numbered(one.run.id, one.attempt.id, one.first, one.events)
            _events.append(connection, rows, _rollups.prepare(one.run.id, one.events, one.first))
    _outcomes.refresh(connection, [one.run.id for one in batch])
    for one in batch:
        _outcomes.note_events(connection, one.run.id, one.events, one.first)


def save_session(connection: Connection, session: Session, told: Sequence[Event]) -> None:
    """Write what is known of a session besides its run and its events, and by what of those a copy is known."""
    _save(connection, [session])
    _save_marks(connection, [_marks(session.run_id, 1, told)])


def save_sources(connection: Connection, found: Sequence[Source]) -> None:
    """Write what files were looked at."""
    upsert(connection, sources, [vars(source) | {"runs": list(source.runs)} for source in found])


def all_sources(connection: Connection) -> dict[str, Source]:
    """Read what files were looked at, by path."""
    return {row["path"]: Source(**row) for row in connection.execute(select(sources)).mappings()}


def run_ids(connection: Connection) -> dict[tuple[str, str], str]:
    """Read which run each session is, by format and session."""
    chosen = select(sessions.c.format, sessions.c.session_id, sessions.c.run_id)
    return {(row[0], row[1]): row[2] for row in connection.execute(chosen)}


def remove(connection: Connection, table: Table, ids: Sequence[str]) -> None:
    """Remove what a table has of runs."""
    for some in batches(ids):
        connection.execute(delete(table).where(table.c.run_id.in_(some)))


def upsert(connection: Connection, table: Table, rows: Sequence[dict[str, Any]], keep: tuple[str, ...] = ()) -> None:
    """Write rows, over those of the same key; what is to be kept of those is not written."""
    if rows:
        connection.execute(_statement(table, connection.dialect.name, keep), rows)


@lru_cache(maxsize=32)
def _statement(table: Table, dialect: str, keep: tuple[str, ...] = ()) -> Any:
    """Write rows, over those of the same key; the two dialects do not share the words."""
    statement: Any = sqlite.insert(table)
    if dialect == "postgresql":
        from sqlalchemy.dialects import postgresql  # dear to import

        statement = postgresql.insert(table)
    keys = [column.name for column in table.primary_key]
    written = [column.key for column in table.c if not column.primary_key and column.key not in keep]
    others = {name: statement.excluded[name] for name in written}
    if not others:
        return statement.on_conflict_do_nothing(index_elements=keys)
    return statement.on_conflict_do_update(index_elements=keys, set_=others)


def _save(connection: Connection, batch: Sequence[Session]) -> None:
    upsert(connection, sessions, [_row(session) for session in batch])
    upsert(connection, daily_usage, [row for session in batch for row in _usage(session)])


def _row(session: Session) -> dict[str, Any]:
    return {name: value for name, value in vars(session).items() if name != "usage"}


def _usage(session: Session) -> Iterable[dict[str, Any]]:
    for used in session.usage:
        yield {
            "run_id": session.run_id,
            "day": used.day,
            "model": used.model,
            **to_columns(used.tokens),
            "cost_usd": used.cost_usd,
        }


def _save_marks(connection: Connection, rows: Sequence[dict[str, Any]]) -> None:
    upsert(connection, session_marks, rows)
    upsert(connection, session_news, [{"run_id": row["run_id"]} for row in rows])


def _marks(run_id: str, first: int, told: Sequence[Event], heads: Sequence[str] = ()) -> dict[str, Any]:
    found = {event.mark: None for event in told if event.kind in _TELLING}
    return {"run_id": run_id, "first": first, "marks": "\n".join(filter(None, (*heads, *found)))}
