"""The dialect of SQLite: a file -> a database that many processes can write."""

from __future__ import annotations

import errno
import shutil
import sqlite3
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, exc

from loopwright.store.database import Database
from loopwright.store.patience import Patience, Trouble

BUSY_S = 30.0
"""How long a write waits for another process's before it is tried again."""
_ROOM = 1 << 20
_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_NO_ROOM_OR_WORSE = {sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN}
_WRITES = "loopwright_writes"


def sqlite_database(path: Path, patience: Patience = Patience(), busy_s: float = BUSY_S) -> Database:
    """Make a database of a file; nothing is opened yet."""
    engine = sqlite_engine(path, busy_s)
    return Database(engine, engine.execution_options(**{_WRITES: True}), str(path), partial(diagnose, path), patience)


def sqlite_engine(path: Path, busy_s: float = BUSY_S) -> Engine:
    """Make an engine for a file; nothing is opened yet."""
    engine = create_engine(
        URL.create("sqlite", database=str(path)),
        connect_args={"timeout": busy_s},
        max_overflow=-1,  # a thread waits for the file, never for a connection
    )
    event.listen(engine, "connect", _prepare)
    event.listen(engine, "begin", _begin)
    return engine


def diagnose(path: Path, error: BaseException) -> Trouble | None:
    """Say whether an error is one that passes: another one writes, or the disk is full."""
    said = error.orig if isinstance(error, exc.DBAPIError) else error
    if isinstance(said, OSError):
        return "full" if said.errno in (errno.ENOSPC, errno.EDQUOT) else None
    code = getattr(said, "sqlite_errorcode", 0) & 0xFF  # the rest of it tells more than we need
    if code in _BUSY:
        return "gone"
    # Without room for its log, SQLite can also say that it could not write or open it.
    return "full" if code == sqlite3.SQLITE_FULL or (code in _NO_ROOM_OR_WORSE and _is_full(path)) else None


def _is_full(path: Path) -> bool:
    return path.parent.is_dir() and shutil.disk_usage(path.parent).free < _ROOM


def _prepare(connection: sqlite3.Connection, _record: Any) -> None:
    connection.isolation_level = None  # the driver would begin by itself, deferred
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA synchronous = NORMAL")


def _begin(connection: Connection) -> None:
    # A deferred transaction that reads and then writes fails at once when another wrote in between.
    writes = connection.get_execution_options().get(_WRITES, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
