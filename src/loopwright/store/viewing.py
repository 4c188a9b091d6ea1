"""The rows of the views that people who write SQL are given."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnClause, Connection, Text, column, literal_column, select, table

from loopwright.errors import UnknownName
from loopwright.store.schema import VIEWS


def rows_of(connection: Connection, name: str, run_id: str | None = None) -> list[dict[str, Any]]:
    """Read a view, of one run or of all."""
    if name not in VIEWS:
        raise UnknownName("view", name, VIEWS)
    order: list[ColumnClause[Any]] = [column(part) for part in VIEWS[name]]
    chosen = select(literal_column("*", Text)).select_from(table(name)).order_by(*order)
    if run_id is not None:
        chosen = chosen.where(column("run_id") == run_id)
    return [dict(row) for row in connection.execute(chosen).mappings()]
