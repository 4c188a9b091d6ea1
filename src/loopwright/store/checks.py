"""Checks in and out of their table, in the order in which they came."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, func, insert, select

from loopwright.records import shape
from loopwright.records.check import Check
from loopwright.records.environment import Environment
from loopwright.records.proof import Proof, Tampering
from loopwright.records.tally import Counts
from loopwright.store.inserting import is_there
from loopwright.store.schema import checks, runs

_SAME = tuple(name for name in Check.__dataclass_fields__ if name not in ("environment", "proof"))


def add(connection: Connection, batch: Sequence[Check]) -> None:
    """Write checks after those that their run has."""
    for check in batch:
        if is_there(connection, checks, check.id):
            continue
        _hold(connection, check.run_id)
        newest = select(func.coalesce(func.max(checks.c.number), 0)).where(checks.c.run_id == check.run_id)
        number = connection.execute(newest).scalar_one() + 1
        row = vars(check) | {"environment": vars(check.environment), "number": number}
        row["proof"] = dataclasses.asdict(check.proof)
        connection.execute(insert(checks), row)


def _hold(connection: Connection, run_id: str) -> None:
    """Let nobody else number this run's checks until we are done; SQLite lets only one write anyway."""
    connection.execute(select(runs.c.id).where(runs.c.id == run_id).with_for_update())


def of(connection: Connection, run_id: str) -> list[Check]:
    """Read a run's checks in order."""
    chosen = select(checks).where(checks.c.run_id == run_id).order_by(checks.c.number)
    return [
        Check(
            environment=shape.record(Environment, row["environment"]),
            proof=_proof(row["proof"]),
            **{name: row[name] for name in _SAME},
        )
        for row in connection.execute(chosen).mappings()
    ]


def _proof(data: dict[str, Any]) -> Proof:
    counts = {name: Counts(**data[name]) for name in ("tests", "base_tests") if data.get(name)}
    tampering = tuple(Tampering(**item) for item in data.get("tampering", ()))
    return Proof(**{**data, **counts, "tampering": tampering, "left_out": tuple(data.get("left_out", ()))})
