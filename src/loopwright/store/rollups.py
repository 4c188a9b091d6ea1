"""What events come to, counted as they come in: nobody has to read them to count them, and counts outlive them."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from sqlalchemy import Connection, func, literal_column, select, text

from loopwright.records.event import Event, EventKind
from loopwright.store.batches import batches
from loopwright.store.columns import storable
from loopwright.store.schema import events, rollups

_CALL, _RESULT = EventKind.TOOL_CALL, EventKind.TOOL_RESULT
_KEYS = ("run_id", "tool")
_COUNTS = tuple(column.name for column in rollups.c if column.name not in _KEYS)
_by_seq = attrgetter("seq")
Row = dict[str, Any]

# SQLite and PostgreSQL read the same words.
_ADD = text(
    f"INSERT INTO rollups ({', '.join((*_KEYS, *_COUNTS))})"
    f" VALUES ({', '.join(f':{name}' for name in (*_KEYS, *_COUNTS))})"
    f" ON CONFLICT ({', '.join(_KEYS)}) DO UPDATE"
    f" SET {', '.join(f'{name} = rollups.{name} + excluded.{name}' for name in _COUNTS)}"
)


@dataclass(frozen=True)
class Prepared:
    """A batch of a run's events, counted as far as that is possible without the database."""

    run_id: str
    rows: Sequence[Row]
    """Of the events whose tool is known."""
    unknown: Sequence[Event]
    """Those of a call that came before the batch."""
    first: int


def prepare(run_id: str, batch: Sequence[Event], first: int = 0) -> Prepared:
    """Count a batch; nobody has to wait for a database in which it is done.

    With `first`, the number of the first event, they are in order and have no numbers yet.
    """
    ordered = batch if first else sorted(batch, key=_by_seq)
    tools, unknown = _tools(ordered)
    return Prepared(run_id, _rows(run_id, tools), unknown, first or ordered[0].seq)


def add(connection: Connection, prepared: Prepared) -> None:
    """Add new events of a run to its counts: one row for each tool, and one without for what is no tool's."""
    run_id, rows = prepared.run_id, list(prepared.rows)
    if prepared.unknown:
        wanted = {storable(event.call_id or "") for event in prepared.unknown}
        called = _called(connection, run_id, wanted, prepared.first)
        rows += _rows(run_id, [(event, called.get(storable(event.call_id or ""))) for event in prepared.unknown])
    connection.execute(_ADD, rows)


def _rows(run_id: str, tools: Sequence[tuple[Event, str | None]]) -> list[Row]:
    names = {tool: storable(tool or "") for tool in {tool for _, tool in tools}}
    counts: dict[str, list[Any]] = defaultdict(lambda: [0, 0, 0, 0, 0.0, 0])
    for event, tool in tools:
        _count(counts[names[tool]], event)
    return [
        {"run_id": run_id, "tool": tool, **dict(zip(_COUNTS, counts[tool], strict=True))} for tool in sorted(counts)
    ]


def _count(row: list[Any], event: Event) -> None:
    """Add an event to the counts of its tool, in the order of the table's columns."""
    row[0] += 1
    if event.error_kind is not None:
        row[5] += 1
    if event.kind is _CALL:
        row[1] += 1
    elif event.kind is _RESULT:
        if event.is_error:
            row[2] += 1
        if event.duration_s is not None and math.isfinite(event.duration_s):
            row[3] += 1
            row[4] += event.duration_s


def _tools(ordered: Sequence[Event]) -> tuple[list[tuple[Event, str | None]], list[Event]]:
    """Give each event's tool; one that does not name it has that of the last call before it with its call_id.

    Events whose call is not in the batch are given apart.
    """
    known: list[tuple[Event, str | None]] = []
    unknown: list[Event] = []
    called: dict[str, str | None] = {}  # by call_id
    for event in ordered:
        tool = "" if event.kind is not _CALL and event.kind is not _RESULT else event.tool
        call_id = None if event.call_id is None else storable(event.call_id)
        if tool is None and call_id is not None and call_id not in called:
            unknown.append(event)
        else:
            known.append((event, called.get(call_id) if tool is None and call_id is not None else tool))
        if event.kind is _CALL and call_id is not None:
            called[call_id] = event.tool
    return known, unknown


def _called(connection: Connection, run_id: str, call_ids: Iterable[str], before: int) -> dict[str, str | None]:
    """Give the tool of the last call with each id among the events before a number."""
    found: dict[str, str | None] = {}
    for wanted in batches(sorted(call_ids)):
        last = (
            select(func.max(events.c.seq))
            .where(
                events.c.run_id == run_id,
                events.c.kind == literal_column("'tool_call'"),  # not a parameter: so the partial index is used
                events.c.call_id.in_(wanted),
                events.c.seq < before,
            )
            .group_by(events.c.call_id)
        )
        chosen = select(events.c.call_id, events.c.tool).where(events.c.run_id == run_id, events.c.seq.in_(last))
        found.update((call_id, tool) for call_id, tool in connection.execute(chosen))
    return found
