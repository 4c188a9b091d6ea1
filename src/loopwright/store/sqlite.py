"""The dialect of SQLite: a file -> a database that many processes can write."""

from __future__ import annotations

import errno
import shutil
import sqlite3
import time
from functools import partial
from pathlib import Path
from typing import Any, cast

from sqlalchemy import URL, Connection, Engine, create_engine, event, exc

from loopwright.errors import StoreError
from loopwright.store.database import Database
from loopwright.store.patience import Patience, Trouble

BUSY_S = 30.0
"""How long a write waits for another process's before it is tried again."""
_ASK_EVERY_S = 0.003
_LOG_PAGES = 4000
"""So long the log gets before it is folded into the file: the fewer times, the fewer pages are written twice."""
_ROOM = 1 << 20
_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_NO_ROOM_OR_WORSE = {sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN}
_WRITES = "loopwright_writes"
_FILE = "loopwright_file"

# The driver asks whatever is not exactly a number or a text how it wants to be written, and makes and drops two errors
# on the way: most columns of an event are empty, and that took a quarter of the time for which it keeps others waiting.
sqlite3.register_adapter(type(None), dict[None, None]().get)
sqlite3.register_adapter(bool, int)


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
    event.listen(engine, "connect", partial(_prepare, path))
    event.listen(engine, "begin", partial(_begin, busy_s))
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
    if not path.parent.is_dir():
        return False
    usage = shutil.disk_usage(path.parent)
    return usage.total > 0 and usage.free < _ROOM  # a place such as /proc has no room ever


def _prepare(path: Path, connection: sqlite3.Connection, record: Any) -> None:
    record.info[_FILE] = (path, _which(path))
    connection.isolation_level = None  # the driver would begin by itself, deferred
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute(f"PRAGMA wal_autocheckpoint = {_LOG_PAGES}")


def _begin(busy_s: float, connection: Connection) -> None:
    # A deferred transaction that reads and then writes fails at once when another wrote in between.
    if not connection.get_execution_options().get(_WRITES, False):
        connection.exec_driver_sql("BEGIN")
        return
    path, file = connection.connection.info[_FILE]
    if _which(path) != file:
        said = f"the store `{path}` was removed or replaced while it was in use: nothing more can be written to it"
        raise StoreError(said, "put it back, or restore a backup; what was done since is on the run's branch")
    raw = cast(sqlite3.Connection, connection.connection.dbapi_connection)
    raw.execute("PRAGMA busy_timeout = 0")
    try:
        _take_turn(raw, busy_s)
        if not raw.in_transaction:
            connection.exec_driver_sql("BEGIN IMMEDIATE")  # says why it can't
    finally:
        raw.execute(f"PRAGMA busy_timeout = {int(busy_s * 1000)}")


def _which(path: Path) -> tuple[int, int]:
    """Tell a file from another one of the same name."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return 0, 0
    return found.st_dev, found.st_ino


def _take_turn(raw: sqlite3.Connection, busy_s: float) -> None:
    """Ask again and again: SQLite would ask ever less often, and who has waited long would wait for seconds more."""
    deadline = time.monotonic() + busy_s
    while time.monotonic() < deadline:
        try:
            raw.execute("BEGIN IMMEDIATE")
            return
        except sqlite3.Error as error:
            if error.sqlite_errorcode & 0xFF not in _BUSY:
                return
        time.sleep(_ASK_EVERY_S)
