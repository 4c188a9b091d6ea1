"""Runs, with the task and the profile that they had, in and out of their table."""

from __future__ import annotations

import dataclasses
from typing import Any

from sqlalchemy import Connection, RowMapping, Select, insert, select, update

from loopwright.errors import LoopwrightError, StoreError, UnknownName
from loopwright.records import shape
from loopwright.records.budget import Budget, Spent
from loopwright.records.profile import Profile
from loopwright.records.run import Run, Status
from loopwright.records.shape import Kinds, ShapeError
from loopwright.records.task import Observed, Task
from loopwright.store.schema import runs
from loopwright.store.tokens import to_columns, to_usage

_SAME = (
    *("id", "repository", "base", "branch", "commit", "workspace", "artifacts", "started_at", "ended_at"),
    *("status", "reason", "detail", "closed_at", "closed_reason", "source", "prompt_version"),
)
"""The fields that are columns as they are."""


def add(connection: Connection, run: Run) -> None:
    """Write a new run."""
    connection.execute(insert(runs), row_of(run))


def save(connection: Connection, run: Run) -> None:
    """Write a run over what is there of it."""
    if connection.execute(update(runs).where(runs.c.id == run.id), row_of(run)).rowcount == 0:
        raise UnknownName("run", run.id, (), "`loopwright runs` lists them")


def get(connection: Connection, run_id: str, kinds: Kinds) -> Run:
    """Read a run by its full id."""
    found = connection.execute(select(runs).where(runs.c.id == run_id)).mappings().first()
    if found is None:
        raise UnknownName("run", run_id, (), "`loopwright runs` lists them")
    return _run(found, kinds)


def newest(
    connection: Connection, kinds: Kinds, limit: int | None, status: Status | None, source: str | None = None
) -> list[Run]:
    """Read runs, the newest first."""
    chosen = _newest_first(limit)
    if source is not None:
        chosen = chosen.where(runs.c.source == source)
    if status is not None:
        chosen = chosen.where(runs.c.status == status)
    return [_run(row, kinds) for row in connection.execute(chosen).mappings()]


def waiting(connection: Connection, kinds: Kinds) -> list[Run]:
    """Read the runs that wait for a human, the newest first."""
    chosen = _newest_first(None).where(
        runs.c.status == Status.ESCALATED, runs.c.closed_at.is_(None), runs.c.source == ""
    )
    return [_run(row, kinds) for row in connection.execute(chosen).mappings()]


def _newest_first(limit: int | None) -> Select[Any]:
    return select(runs).order_by(runs.c.started_at.desc(), runs.c.id.desc()).limit(limit)


def row_of(run: Run) -> dict[str, Any]:
    """Write a run as a row."""
    return {
        **{name: getattr(run, name) for name in _SAME},
        "goal": run.task.goal,
        "task_type": run.task.task_type,
        "agent": run.profile.agent,
        "model": run.profile.model,
        "task": vars(run.task) | {"criteria": [criterion.to_dict() for criterion in run.task.criteria]},
        "profile": dataclasses.asdict(run.profile),
        "budget": vars(run.budget),
        "iterations": run.spent.iterations,
        "cost_usd": run.spent.cost_usd,
        **to_columns(run.spent.tokens),
        "duration_s": run.spent.seconds,
    }


def _run(row: RowMapping, kinds: Kinds) -> Run:
    try:
        task = shape.record(Observed if row["source"] else Task, row["task"], kinds)
    except (ShapeError, LoopwrightError) as error:
        hint = "it was written with a plug-in that is not installed, or by another version of Loopwright"
        raise StoreError(f"the task of run `{row['id']}` can't be read: {error}", hint) from error
    return Run(
        task=task,
        profile=shape.record(Profile, row["profile"]),
        budget=shape.record(Budget, row["budget"]),
        spent=Spent(row["iterations"], row["cost_usd"], to_usage(row), row["duration_s"]),
        **{name: row[name] for name in _SAME},
    )
