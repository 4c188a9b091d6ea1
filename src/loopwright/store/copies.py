"""What sessions have in common: by what they are compared, and what they come to in the events that several have."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, case, insert, null, select, type_coerce

from loopwright.records.budget import Usage
from loopwright.records.event import Event, EventKind
from loopwright.records.session import DailyUsage
from loopwright.records.summary import Portion, ToolUse
from loopwright.store.columns import Json
from loopwright.store.schema import events, session_marks, session_news, session_portions
from loopwright.store.sessions import remove

_WITH_ARGUMENTS = (EventKind.TOOL_CALL, EventKind.TOOL_RESULT)
_DATA = type_coerce(case((events.c.kind.in_(_WITH_ARGUMENTS), null()), else_=events.c.data), Json)
_WHAT = (events.c.kind, events.c.tool, events.c.call_id, events.c.path, events.c.is_error, events.c.duration_s)
_COUNTED = select(*_WHAT, _DATA, events.c.seq, events.c.at)


def news(connection: Connection) -> list[str]:
    """Read which sessions nobody has compared with the others."""
    return list(connection.execute(select(session_news.c.run_id)).scalars())


def marks(connection: Connection, run_ids: Sequence[str]) -> list[tuple[str, str]]:
    """Read the marks of sessions: lines, in one text or in several."""
    chosen = select(session_marks.c.run_id, session_marks.c.marks).where(session_marks.c.run_id.in_(run_ids))
    return [(run_id, lines) for run_id, lines in connection.execute(chosen)]


def kin(connection: Connection) -> list[Sequence[str]]:
    """Read which runs have something in common."""
    return list(connection.execute(select(session_portions.c.runs).distinct()).scalars())


def counted(connection: Connection, run_id: str, after: int, limit: int) -> list[Event]:
    """Read a run's next events, without what was said in them."""
    chosen = _COUNTED.where(events.c.run_id == run_id, events.c.seq > after).order_by(events.c.seq).limit(limit)
    return [
        Event(kind, "", tool, call_id, path=path, is_error=failed, duration_s=took, data=data, seq=seq, at=at)
        for kind, tool, call_id, path, failed, took, data, seq, at in connection.execute(chosen)
    ]


def settle(connection: Connection, portions: Mapping[str, Sequence[Portion]]) -> None:
    """Write what sessions come to in portions, over what was there; they have been compared then."""
    for table in (session_portions, session_news):
        remove(connection, table, list(portions))
    rows = [_row(run_id, number, one) for run_id, some in portions.items() for number, one in enumerate(some)]
    if rows:
        connection.execute(insert(session_portions), rows)


def portions_of(connection: Connection, run_ids: Sequence[str]) -> dict[str, list[Portion]]:
    """Read the portions of sessions; most have none."""
    found: dict[str, list[Portion]] = {}
    chosen = select(session_portions).where(session_portions.c.run_id.in_(run_ids))
    for row in connection.execute(chosen.order_by(session_portions.c.number)):
        found.setdefault(row.run_id, []).append(_portion(row.runs, row.counts))
    return found


def _row(run_id: str, number: int, portion: Portion) -> dict[str, Any]:
    counts = dataclasses.asdict(portion)
    return {"run_id": run_id, "number": number, "runs": counts.pop("runs"), "counts": counts}


def _portion(runs: Sequence[str], counts: dict[str, Any]) -> Portion:
    usage = [DailyUsage(**used | {"tokens": Usage(**used["tokens"])}) for used in counts.pop("usage")]
    return Portion(runs, usage=usage, tools=[ToolUse(**use) for use in counts.pop("tools")], **counts)
