"""A store -> how it is. It is looked at and never changed: not made, not migrated, not mended."""

from __future__ import annotations

import os
import shutil
import sqlite3
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import ColumnElement, Connection, exc, func, select, text

from loopwright.errors import StoreError
from loopwright.records.run import Status
from loopwright.store.backup import count
from loopwright.store.database import shown
from loopwright.store.place import connect, file_of, reading_engine
from loopwright.store.schema import runs
from loopwright.store.steps import known_versions
from loopwright.store.version import refuse_newer, version_of

CHECK_S = 5.0
"""How long the pages of a file are looked at."""
_RESTORE = "put a backup back: loopwright restore FILE --force (what is there is kept aside)"


@dataclass(frozen=True)
class Health:
    """What is known of a store that can be used."""

    database: str
    """What it is in, with its version."""
    version: str | None
    """None where the next run makes the store."""
    outdated: bool = False
    runs: int = 0
    running: int = 0
    waiting: int = 0
    size: int = 0
    free: int | None = None
    """Bytes on its disk; None where that is a server's."""
    checked: bool = True
    """False where it is so large that not all of it was looked at."""


def examine(place: str | Path, check_s: float = CHECK_S) -> Health:
    """Say how a store is; one that can't be used is an error that says what to do."""
    path = file_of(place)
    if path is not None:
        return _examine_file(path, check_s)
    try:
        with reading_engine(place).connect() as connection:
            return _examine_server(connection, shown(place))
    except exc.SQLAlchemyError as error:
        said = getattr(error, "orig", None) or error
        message = f"the store `{shown(place)}` does not answer: {str(said).strip()}"
        raise StoreError(message, "is the server running, and are name and password right?") from error


def _examine_file(path: Path, check_s: float) -> Health:
    database = f"SQLite {sqlite3.sqlite_version}"
    if not _there(path):
        return Health(database, None)
    try:
        checked = _check_pages(path, check_s)
        with reading_engine(path).connect() as connection:
            found = _counted(connection, str(path), database)
    except (sqlite3.Error, exc.DBAPIError) as error:
        said = getattr(error, "orig", error)
        raise StoreError(f"the store `{path}` is broken: {said}", _RESTORE) from error
    return _measured(found, path, checked)


def _there(path: Path) -> bool:
    """Say whether a file is there; refuse what no store can be in."""
    try:
        if path.is_dir():
            raise StoreError(f"`{path}` is a folder, not a store", f"name a file in it: {path / 'store.sqlite'}")
        if not path.exists():
            return False
    except PermissionError as error:
        raise StoreError(f"the store `{path}` can't be reached: {error.strerror}", "ask its owner") from error
    if not os.access(path, os.R_OK | os.W_OK):
        raise StoreError(f"the store `{path}` can't be read and written: permission denied", f"chmod u+rw {path}")
    if path.stat().st_size == 0:
        raise StoreError(f"the store `{path}` has no bytes", f"remove it where there were no runs; else {_RESTORE}")
    return True


def _check_pages(path: Path, check_s: float) -> bool:
    """Look at all pages and what belongs together, for some seconds; False where there was not time enough."""
    until = time.monotonic() + check_s
    with closing(connect(path)) as connection:
        connection.set_progress_handler(lambda: time.monotonic() > until, 100_000)
        try:
            said = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
            if said == "ok" and (row := connection.execute("PRAGMA foreign_key_check").fetchone()):
                said = f"a row of {row[0]} belongs to none of {row[2]}"
        except sqlite3.OperationalError as error:
            if "interrupted" not in str(error):
                raise
            return False
    if said != "ok":
        raise sqlite3.DatabaseError(" ".join(str(said).split()))
    return True


def _measured(found: Health, path: Path, checked: bool) -> Health:
    size = sum(file.stat().st_size for file in (path, path.with_name(f"{path.name}-wal")) if file.exists())
    return Health(**vars(found) | {"size": size, "free": shutil.disk_usage(path.parent).free, "checked": checked})


def _examine_server(connection: Connection, name: str) -> Health:
    version, encoding = (
        connection.execute(text(f"SHOW server_{part}")).scalar_one() for part in ("version", "encoding")
    )
    if encoding != "UTF8":
        raise StoreError(f"the database `{name}` is in `{encoding}`", "make one with: createdb --encoding UTF8 NAME")
    found = _counted(connection, name, f"PostgreSQL {version}")
    size = connection.execute(text("SELECT pg_database_size(current_database())")).scalar_one()
    return Health(**vars(found) | {"size": int(size)})


def _counted(connection: Connection, name: str, database: str) -> Health:
    version, known = version_of(connection, name), known_versions()
    refuse_newer(version, known, name)
    if version is None:
        return Health(database, None)
    return Health(
        database,
        version,
        outdated=version != known[-1],
        runs=count(connection, runs),
        running=_count_where(connection, runs.c.status == Status.RUNNING),
        waiting=_count_where(connection, runs.c.status == Status.ESCALATED, runs.c.closed_at.is_(None)),
    )


def _count_where(connection: Connection, *conditions: ColumnElement[bool]) -> int:
    return int(connection.execute(select(func.count()).select_from(runs).where(*conditions)).scalar_one())
