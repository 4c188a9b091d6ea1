"""Checks in and out of their table, in the order in which they came."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, func, insert, select

from loopwright.records import shape
from loopwright.records.check import Check
from loopwright.records.environment import Environment
from loopwright.store.schema import checks

_SAME = tuple(name for name in Check.__dataclass_fields__ if name != "environment")


def add(connection: Connection, batch: Sequence[Check]) -> None:
    """Write checks after those that their run has."""
    for check in batch:
        newest = select(func.coalesce(func.max(checks.c.number), 0)).where(checks.c.run_id == check.run_id)
        number = connection.execute(newest).scalar_one() + 1
        row = vars(check) | {"environment": vars(check.environment), "number": number}
        connection.execute(insert(checks), row)


def of(connection: Connection, run_id: str) -> list[Check]:
    """Read a run's checks in order."""
    chosen = select(checks).where(checks.c.run_id == run_id).order_by(checks.c.number)
    return [
        Check(environment=shape.record(Environment, row["environment"]), **{name: row[name] for name in _SAME})
        for row in connection.execute(chosen).mappings()
    ]
