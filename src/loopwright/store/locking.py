"""One at a time: for what is read, thought about and written in one transaction."""

from __future__ import annotations

from sqlalchemy import Connection, Table


def lock(connection: Connection, table: Table) -> None:
    """Keep others who write or hold rows of a table out until the transaction ends; SQLite has one writer anyway."""
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(f"LOCK TABLE {table.name} IN EXCLUSIVE MODE")
