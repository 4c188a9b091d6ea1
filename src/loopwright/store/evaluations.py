"""Evaluations in and out of their table."""

from __future__ import annotations

import dataclasses

from sqlalchemy import Connection, select

from loopwright.records.evaluation import Evaluation, ItemResult
from loopwright.store import sessions as _sessions
from loopwright.store.schema_sent import evaluations


def save(connection: Connection, evaluation: Evaluation) -> None:
    """Write one, over what was there of it."""
    items = [dataclasses.asdict(item) for item in evaluation.items]
    _sessions.upsert(connection, evaluations, [vars(evaluation) | {"items": items}])


def of(connection: Connection, run_id: str | None = None) -> list[Evaluation]:
    """Read those of a run, or all, the oldest first."""
    chosen = select(evaluations).order_by(evaluations.c.created_at, evaluations.c.id)
    if run_id is not None:
        chosen = chosen.where(evaluations.c.run_id == run_id)
    rows = connection.execute(chosen).mappings()
    return [Evaluation(**{**row, "items": tuple(ItemResult(**item) for item in row["items"])}) for row in rows]
