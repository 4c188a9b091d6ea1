"""How agents went about their runs, in and out of its tables; and what many runs come to."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, delete, func, select

from loopwright.records.insight import Cell, Gap, Remedied
from loopwright.records.practice import Practice
from loopwright.store import sessions as _sessions
from loopwright.store.batches import batches
from loopwright.store.schema import rollups, runs
from loopwright.store.schema_measured import practices, recoveries, run_errors


def save(connection: Connection, practice: Practice) -> None:
    """Write how one run went, over what was there of it."""
    run_id = practice.run_id
    for table in (run_errors, recoveries):
        connection.execute(delete(table).where(table.c.run_id == run_id))
    _sessions.upsert(connection, practices, [{column.name: getattr(practice, column.name) for column in practices.c}])
    _sessions.upsert(connection, run_errors, [{"run_id": run_id, **vars(one)} for one in practice.errors])
    _sessions.upsert(connection, recoveries, [{"run_id": run_id, **vars(one)} for one in practice.recoveries])


def gaps(connection: Connection, fewest_runs: int, limit: int) -> Sequence[Gap]:
    """Give the errors that come in several runs, those of the most runs first."""
    counted = (
        select(
            run_errors.c.fingerprint,
            func.count().label("runs"),
            func.sum(run_errors.c.count).label("times"),
            func.min(run_errors.c.run_id).label("example"),
        )
        .group_by(run_errors.c.fingerprint)
        .having(func.count() >= fewest_runs)
        .order_by(func.count().desc(), func.sum(run_errors.c.count).desc(), run_errors.c.fingerprint)
        .limit(limit)
    )
    found = []
    for row in connection.execute(counted).all():
        its = run_errors.c.fingerprint == row.fingerprint
        first = select(run_errors.c.tool, run_errors.c.message).where(its, run_errors.c.run_id == row.example)
        told = connection.execute(first).one()
        kinds = select(runs.c.task_type, runs.c.agent).join(run_errors, run_errors.c.run_id == runs.c.id).where(its)
        pairs = connection.execute(kinds.distinct()).all()
        task_types, agents = (sorted({pair[place] for pair in pairs} - {""}) for place in (0, 1))
        gap = Gap(row.fingerprint, told.tool, told.message, row.runs, int(row.times), task_types, agents, row.example)
        found.append(gap)
    return found


def remedied(connection: Connection) -> Sequence[Remedied]:
    """Give how often each remedy was tried and went well, by its topic."""
    names = (recoveries.c.remedy, recoveries.c.topic)
    sums = (func.sum(recoveries.c.tries), func.sum(recoveries.c.passes), func.count())
    chosen = select(*names, *sums).group_by(*names)
    return [Remedied(row[0], row[1], int(row[2]), int(row[3]), row[4]) for row in connection.execute(chosen)]


def cells(connection: Connection) -> Sequence[Cell]:
    """Give what each run is compared by."""
    names = ("id", "repository", "goal", "agent", "model", "status", "source", "iterations", "cost_usd", "duration_s")
    joined = runs.outerjoin(practices, practices.c.run_id == runs.c.id)
    chosen = select(
        *(runs.c[name] for name in names), practices.c.reads_before_edit, practices.c.edits, practices.c.retries
    )
    return [Cell(*row) for row in connection.execute(chosen.select_from(joined))]


def calls(connection: Connection, run_ids: Sequence[str]) -> dict[str, dict[str, int]]:
    """Give the calls of each tool, by run."""
    found: dict[str, dict[str, int]] = {}
    for part in batches(run_ids):
        its = (rollups.c.run_id.in_(part), rollups.c.calls > 0)
        for run_id, tool, count in connection.execute(
            select(rollups.c.run_id, rollups.c.tool, rollups.c.calls).where(*its)
        ):
            found.setdefault(run_id, {})[tool] = count
    return found
