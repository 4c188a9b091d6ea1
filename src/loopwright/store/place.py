"""The name of a store -> the file or the server behind it, to look at: nothing is made and nothing is migrated."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

from sqlalchemy import Engine, NullPool, create_engine, event, make_url

from loopwright.errors import StoreError
from loopwright.store.sqlite import BUSY_S

_SERVERS = ("postgresql", "postgres", "postgresql+psycopg")


def file_of(place: str | Path) -> Path | None:
    """Give the SQLite file that a name means; None where it means a server."""
    if str(place).endswith(":memory:"):
        raise StoreError("a store can't be in memory (`:memory:`): a record is to be kept", "name a file")
    if isinstance(place, Path) or "://" not in place:
        return Path(place).expanduser()
    scheme = place.partition(":")[0]
    if scheme in _SERVERS:
        return None
    if scheme != "sqlite" or not (name := make_url(place).database):
        hint = "name a file, or write sqlite:///path/to/store.sqlite or postgresql://user@host/database"
        raise StoreError(f"a store can't be in `{scheme}`", hint)
    return Path(name)


def reading_engine(place: str | Path) -> Engine:
    """Make an engine that reads what is there and leaves it, and the folder around it, as it was."""
    path = file_of(place)
    if path is None:
        return _server(str(place)).execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
    return _sqlite(lambda: connect(path), "BEGIN")


def writing_engine(place: str | Path) -> Engine:
    """Make an engine that writes; a file that is not there is made."""
    path = file_of(place)
    return _sqlite(lambda: _connect_to_write(path), "BEGIN IMMEDIATE") if path else _server(str(place))


def connect(path: Path, mode: str = "") -> sqlite3.Connection:
    """Open a file to read it; one that is not there is not made."""
    # Opened to write, the last one to close folds the log into the file; read-only, it leaves an empty log behind.
    mode = mode or ("ro" if path.with_name(f"{path.name}-wal").exists() else "rw")
    uri = f"{path.absolute().as_uri()}?mode={mode}"
    return sqlite3.connect(uri, uri=True, timeout=BUSY_S, isolation_level=None)


def _connect_to_write(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=BUSY_S, isolation_level=None)
    connection.execute("PRAGMA foreign_keys = ON")
    return connection


def _sqlite(creator: Callable[[], sqlite3.Connection], begin: str) -> Engine:
    engine = create_engine("sqlite://", creator=creator, poolclass=NullPool)  # a connection is closed when it is let go
    event.listen(engine, "begin", lambda connection: connection.exec_driver_sql(begin))
    return engine


def _server(url: str) -> Engine:
    from loopwright.store.postgres import postgres_engine  # dear to import, and SQLite needs none of it

    return postgres_engine(url, poolclass=NullPool)
