"""A store of any age -> one of today, by the numbered steps in migrations/. One from the future is left alone."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from sqlalchemy import Connection

from loopwright.errors import StoreError
from loopwright.process.identity import alive, number
from loopwright.store import (  # noqa: F401 (all tables)
    schema_diagnosed,
    schema_failures,
    schema_measured,
    schema_patched,
    schema_released,
    schema_reviewed,
    schema_sent,
    schema_verified,
)
from loopwright.store.database import Database
from loopwright.store.leases import processes
from loopwright.store.migrations.views_0009 import VIEWS
from loopwright.store.schema import metadata
from loopwright.store.sqlite import BUSY_S
from loopwright.store.steps import MIGRATIONS, known_versions, take_steps
from loopwright.store.version import VERSION_TABLE, refuse_newer, version_in, version_of

BackUp = Callable[[str], None]
"""Called with the version of a store that is about to be changed; what it raises stops that."""

_PAGE = 16_384
"""Most events fit into a page of this size: those that do not take twice as long to write."""
_SERVER_LOCK = "SELECT pg_advisory_xact_lock(7813586346238536039)"  # any number that is ours alone


def migrate(database: Database, path: Path, migrations: Path = MIGRATIONS) -> None:
    """Bring the file at this path to the newest version: made when missing, copied aside before it is changed."""
    known = known_versions(migrations)
    if path.exists() and _current(version_in(path), known, database.name):
        return
    _write_ahead(path)
    with database.write() as connection:
        version = version_of(connection, database.name)
        if _current(version, known, database.name):
            return  # another process was faster
        if version is None and migrations == MIGRATIONS:
            _make(connection, known[-1])
            return
        if version:
            _refuse_at_work(connection, database.name)
            _back_up(path, version)
        take_steps(connection, migrations)


def migrate_server(database: Database, back_up: BackUp | None = None, migrations: Path = MIGRATIONS) -> None:
    """Bring a database of a server to the newest version: made when empty, by all the steps."""
    known = known_versions(migrations)
    with database.read() as connection:
        if _current(version_of(connection, database.name), known, database.name):
            return
    with database.write() as connection:
        connection.exec_driver_sql(_SERVER_LOCK)
        version = version_of(connection, database.name)
        if _current(version, known, database.name):
            return  # another process was faster
        if version:
            _refuse_at_work(connection, database.name)
        if version and back_up:
            back_up(version)
        take_steps(connection, migrations)


def _current(version: str | None, known: list[str], name: str) -> bool:
    refuse_newer(version, known, name)
    return version == known[-1]


def _refuse_at_work(connection: Connection, name: str) -> None:
    """Leave a store alone that an older Loopwright of this machine is writing to: it could not go on."""
    for process in processes(connection):
        if alive(process):
            words = f"the store `{name}` is of an older Loopwright that is at work (process {number(process)})"
            raise StoreError(words, "wait until its runs have ended, or stop them, and try again")


def _write_ahead(path: Path) -> None:
    deadline = time.monotonic() + BUSY_S
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA auto_vacuum = INCREMENTAL")  # of a new file: it gets smaller when events are removed
        while True:
            try:
                connection.execute(f"PRAGMA page_size = {_PAGE}")  # for a new file; others keep theirs
                connection.execute("PRAGMA journal_mode = WAL")
                return
            except sqlite3.OperationalError as error:
                # SQLite does not wait here by itself when several make the same file.
                if "locked" not in str(error) or time.monotonic() > deadline:
                    raise
                time.sleep(0.01)


def _back_up(path: Path, version: str) -> None:
    from loopwright.store.backup import written  # needed by a store that is older than we are, and by no other

    copy = path.with_name(f"{path.name}.{version}.backup")
    with written(copy) as part, closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(part)) as target:
        source.backup(target)


def _make(connection: Connection, version: str) -> None:
    """Make a new store at once. The steps lead to the same, which a test holds; but they need Alembic."""
    metadata.create_all(connection)
    for name, query in VIEWS.items():
        connection.exec_driver_sql(f"CREATE VIEW {name} AS {query}")
    connection.exec_driver_sql(f"CREATE TABLE {VERSION_TABLE} (version_num VARCHAR(32) NOT NULL PRIMARY KEY)")
    connection.exec_driver_sql(f"INSERT INTO {VERSION_TABLE} VALUES ('{version}')")
