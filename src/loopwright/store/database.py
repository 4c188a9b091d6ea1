"""A SQLite file -> connections that read or write, with the errors that people can act on."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, exc

from loopwright.errors import StoreError

BUSY_S = 30.0
"""How long a write waits for another process's."""
OTHER_STORE = "name another store with LOOPWRIGHT_STORE"
_WRITES = "loopwright_writes"


class Database:
    """An engine, and the two ways to use it."""

    def __init__(self, engine: Engine, name: str) -> None:
        self._engine = engine
        self._writer = engine.execution_options(**{_WRITES: True})
        self._name = name

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Give a connection that sees one state of the store for as long as it is held."""
        with self._explained("read"), self._engine.connect() as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """Give a connection whose changes become visible together at the end, or not at all."""
        with self._explained("written"), self._writer.begin() as connection:
            yield connection

    def close(self) -> None:
        self._engine.dispose()

    @contextmanager
    def _explained(self, done: str) -> Iterator[None]:
        try:
            yield
        except exc.DBAPIError as error:
            raise StoreError(f"the store `{self._name}` can't be {done}: {error.orig}", OTHER_STORE) from error


def sqlite_engine(path: Path) -> Engine:
    """Make an engine for a file; nothing is opened yet."""
    engine = create_engine(
        URL.create("sqlite", database=str(path)),
        connect_args={"timeout": BUSY_S},
        max_overflow=-1,  # a thread waits for the file, never for a connection
    )
    event.listen(engine, "connect", _prepare)
    event.listen(engine, "begin", _begin)
    return engine


def _prepare(connection: sqlite3.Connection, _record: Any) -> None:
    connection.isolation_level = None  # the driver would begin by itself, deferred
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA synchronous = NORMAL")


def _begin(connection: Connection) -> None:
    # A deferred transaction that reads and then writes fails at once when another wrote in between.
    writes = connection.get_execution_options().get(_WRITES, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
