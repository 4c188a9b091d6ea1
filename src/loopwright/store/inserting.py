"""New rows that may be written again: the first time may have worked although the connection broke before we knew."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, Table, insert, select


def is_there(connection: Connection, table: Table, record_id: str) -> bool:
    """Say whether a record of this id is in its table."""
    return connection.execute(select(table.c.id).where(table.c.id == record_id)).first() is not None


def insert_once(connection: Connection, table: Table, row: Mapping[str, Any]) -> None:
    """Write a new record, unless it is there."""
    if not is_there(connection, table, row["id"]):
        connection.execute(insert(table), row)
