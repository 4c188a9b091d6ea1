"""Steps and attempts in and out of their tables."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, RowMapping, func, insert, select, update

from loopwright.errors import UnknownName
from loopwright.records import shape
from loopwright.records.environment import Environment
from loopwright.records.run import Attempt, Step
from loopwright.store.inserting import is_there
from loopwright.store.schema import attempts, runs, steps
from loopwright.store.tokens import to_columns, to_usage

_APART = {"tokens", "environment"}
_SAME = tuple(name for name in Attempt.__dataclass_fields__ if name not in _APART)


def add_step(connection: Connection, step: Step) -> None:
    """Write a new step."""
    connection.execute(insert(steps), vars(step))


def has_step(connection: Connection, step: Step) -> bool:
    """Say whether this very step is there."""
    return is_there(connection, steps, step.id)


def step_of(connection: Connection, run_id: str) -> Step:
    """Read a run's first step."""
    chosen = select(steps).where(steps.c.run_id == run_id).order_by(steps.c.number).limit(1)
    row = connection.execute(chosen).mappings().first()
    if row is None:
        raise UnknownName("run", run_id, (), "`loopwright runs` lists them")
    return Step(**row)


def save(connection: Connection, attempt: Attempt) -> None:
    """Write an attempt over what is there of it."""
    row = row_of(attempt)
    if connection.execute(update(attempts).where(attempts.c.id == attempt.id), row).rowcount == 0:
        connection.execute(insert(attempts), row)


def of(connection: Connection, run_id: str) -> list[Attempt]:
    """Read a run's attempts in order."""
    chosen = select(attempts).where(attempts.c.run_id == run_id).order_by(attempts.c.number)
    return [_attempt(row) for row in connection.execute(chosen).mappings()]


def spent_since(connection: Connection, moment: str) -> float:
    """Sum up what attempts of ours cost that began at a moment or later."""
    total = select(func.coalesce(func.sum(attempts.c.cost_usd), 0.0)).select_from(attempts.join(runs))
    total = total.where(attempts.c.started_at >= moment, runs.c.source == "")
    return float(connection.execute(total).scalar_one())


def row_of(attempt: Attempt) -> dict[str, Any]:
    """Write an attempt as a row."""
    return {
        **{name: getattr(attempt, name) for name in _SAME},
        **to_columns(attempt.tokens),
        "agent": attempt.environment.agent,
        "model": attempt.environment.model,
        "environment": vars(attempt.environment),
    }


def _attempt(row: RowMapping) -> Attempt:
    environment = shape.record(Environment, row["environment"])
    return Attempt(tokens=to_usage(row), environment=environment, **{name: row[name] for name in _SAME})
