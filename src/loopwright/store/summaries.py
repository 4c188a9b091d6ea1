"""Runs -> their sessions in short, from what was counted as they came in: no event is read."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import Connection, Row, Select, func, or_, select

from loopwright.records.budget import Usage
from loopwright.records.identity import timestamp
from loopwright.records.session import DailyUsage
from loopwright.records.summary import Portion, Summary, ToolUse
from loopwright.store.batches import batches
from loopwright.store.copies import portions_of
from loopwright.store.schema import daily_usage, rollups, runs, sessions

_LONGEST_GOAL = 300
_NO_TIME = timestamp(0)
"""The start of a session that told no time."""

_IN_RUNS = (runs.c.id, runs.c.agent, runs.c.model, func.substr(runs.c.goal, 1, _LONGEST_GOAL).label("goal"))
_SPENT = (runs.c.started_at, runs.c.ended_at, runs.c.duration_s, runs.c.cost_usd)
_TOKENS = tuple(f"tokens_{name}" for name in vars(Usage()))
_SAME = ("session_id", "path", "project", "active_s", "prompts", "interrupts", "rejections", "raw_lines", "reread")
_SESSIONS = select(*_IN_RUNS, *_SPENT, *[runs.c[name] for name in _TOKENS], *[sessions.c[name] for name in _SAME])
_TOOLS = select(
    rollups.c.run_id, rollups.c.tool, rollups.c.calls, rollups.c.failed, rollups.c.timed, rollups.c.duration_s
).where(or_(rollups.c.tool != "", rollups.c.calls > 0, rollups.c.failed > 0))
_USAGE = select(daily_usage)


def of(connection: Connection, run_ids: Sequence[str]) -> list[Summary]:
    """Read the sessions of runs, the newest first; a run that is none is left out."""
    found: list[Summary] = []
    for some in batches(run_ids):
        found += _some(connection, some)
    return sorted(found, key=lambda summary: (summary.started_at, summary.session_id, summary.run_id), reverse=True)


def _some(connection: Connection, ids: Sequence[str]) -> Iterator[Summary]:
    tools: dict[str, list[ToolUse]] = defaultdict(list)
    for run_id, *told in connection.execute(_TOOLS.where(rollups.c.run_id.in_(ids))).all():
        tools[run_id].append(ToolUse(*told))
    usage: dict[str, list[DailyUsage]] = defaultdict(list)
    for run_id, day, model, *tokens, cost in connection.execute(_USAGE.where(daily_usage.c.run_id.in_(ids))).all():
        usage[run_id].append(DailyUsage(day, model, Usage(*tokens), cost))
    portions = portions_of(connection, ids)
    for row in connection.execute(_chosen(ids)).all():
        yield _summary(row, usage[row.id], tools[row.id], portions.get(row.id, ()))


def _chosen(ids: Sequence[str]) -> Select[Any]:
    return _SESSIONS.join_from(runs, sessions, sessions.c.run_id == runs.c.id).where(runs.c.id.in_(ids))


def _summary(row: Row[Any], usage: list[DailyUsage], tools: list[ToolUse], portions: Sequence[Portion]) -> Summary:
    told = row._mapping
    return Summary(
        run_id=row.id,
        agent=row.agent,
        model=row.model,
        goal=row.goal,
        started_at="" if row.started_at == _NO_TIME else row.started_at,
        ended_at=row.ended_at or "",
        duration_s=row.duration_s,
        cost_usd=row.cost_usd,
        tokens=Usage(*[told[name] for name in _TOKENS]),
        usage=sorted(usage, key=lambda used: (used.day, used.model)),
        tools=sorted(tools, key=lambda use: use.tool),
        portions=portions,
        **{name: told[name] for name in _SAME},
    )
