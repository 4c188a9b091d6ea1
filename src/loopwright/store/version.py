"""A database -> the version of the store in it; one from the future is refused."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from loopwright.errors import StoreError
from loopwright.store.database import OTHER_STORE
from loopwright.store.place import connect

VERSION_TABLE = "alembic_version"
_TABLES = {
    "sqlite": "SELECT name FROM sqlite_master WHERE type = 'table'",
    "postgresql": "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()",
}


def version_of(connection: Connection, name: str) -> str | None:
    """Read the version of a store; None where the database is empty."""
    return _read(connection.exec_driver_sql, connection.dialect.name, name)


def version_in(file: Path) -> str | None:
    """Read the version of a store in a file without an engine, which takes longer to make than to use."""
    with closing(connect(file)) as connection:
        return _read(connection.execute, "sqlite", str(file))


def refuse_newer(version: str | None, known: list[str], name: str) -> None:
    """Leave a store alone that has a version without steps to it."""
    if version and version not in known:
        message = f"the store `{name}` has version `{version}`, this Loopwright knows up to `{known[-1]}`"
        raise StoreError(message, f"upgrade Loopwright, or {OTHER_STORE}")


def _read(execute: Callable[[str], Iterable[Sequence[Any]]], dialect: str, name: str) -> str | None:
    tables = {row[0] for row in execute(_TABLES[dialect])}
    if tables and VERSION_TABLE not in tables:
        raise StoreError(f"`{name}` is a database, but not a store of Loopwright", OTHER_STORE)
    rows = execute(f"SELECT version_num FROM {VERSION_TABLE}") if tables else ()
    return next((str(row[0]) for row in rows), None)
