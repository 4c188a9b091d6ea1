"""Rows of one database -> another of the same version: how a store moves between SQLite and PostgreSQL."""

from __future__ import annotations

from sqlalchemy import Connection, MetaData, Table, inspect, select

from loopwright.store.schema import VIEWS, metadata
from loopwright.store.version import VERSION_TABLE

_ROWS = 500
"""How many rows are held in memory at a time."""


def clear(connection: Connection) -> None:
    """Remove a store's tables and views from a database; what others have in it stays."""
    found = inspect(connection)
    for view in set(found.get_view_names()) & set(VIEWS):
        connection.exec_driver_sql(f"DROP VIEW {view}")
    present = MetaData()
    present.reflect(connection, only=sorted({*metadata.tables, VERSION_TABLE} & set(found.get_table_names())))
    present.drop_all(connection)


def copy_rows(source: Connection, target: Connection) -> None:
    """Copy all rows of every table of a store into the same tables, which are empty, of another."""
    ours, theirs = _tables(source), _tables(target)
    for table in theirs.sorted_tables:
        if table.name != VERSION_TABLE:
            _copy(source, ours.tables[table.name], target, table)


def _tables(connection: Connection) -> MetaData:
    tables = MetaData()
    tables.reflect(connection)
    return tables


def _copy(source: Connection, rows_of: Table, target: Connection, into: Table) -> None:
    names = [column.name for column in into.c]
    chosen = select(*(rows_of.c[name] for name in names)).order_by(*rows_of.primary_key)
    # Core would process each value of each row by itself, which takes longer than the database does.
    statement = into.insert().compile(dialect=target.dialect)
    for rows in source.execution_options(yield_per=_ROWS).execute(chosen).partitions():
        values = [tuple(row) if statement.positional else dict(zip(names, row, strict=True)) for row in rows]
        target.exec_driver_sql(str(statement), values)
