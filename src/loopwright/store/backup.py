"""A store that others write to -> one SQLite file that is whole, or none."""

from __future__ import annotations

import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection, Engine, Table, exc, func, select

from loopwright.errors import StoreError, UsageError
from loopwright.store.copying import copy_rows
from loopwright.store.database import OTHER_STORE, shown
from loopwright.store.place import connect, file_of, reading_engine, writing_engine
from loopwright.store.schema import events, runs
from loopwright.store.steps import known_versions, take_steps
from loopwright.store.version import refuse_newer, version_of


@dataclass(frozen=True)
class Contents:
    """What a file holds."""

    version: str
    runs: int
    events: int
    size: int
    """In bytes."""


def back_up(place: str | Path, file: Path, *, force: bool = False) -> Contents:
    """Copy a store as it is at one moment into a new file; an existing one is replaced only by force."""
    source = file_of(place)
    _refuse(source, file, force)
    with explained(f"the store `{shown(place)}` can't be copied to `{file}`"):
        if source is None:
            with reading_engine(place).connect() as connection:
                copy_to_file(connection, file)
        else:
            with written(file) as part:
                _copy_sqlite(source, part)
        return contents_of(file)


def copy_to_file(source: Connection, file: Path) -> None:
    """Copy a store, row by row and in the transaction that its connection is in, into a file, which it replaces."""
    version = known_version(source, str(source.engine.url))
    with written(file) as part, _new_file(part).begin() as target:
        take_steps(target, version=version)
        copy_rows(source, target)


def contents_of(file: Path) -> Contents:
    """Say what a file holds that is a store."""
    with reading_engine(file).connect() as connection:
        version = known_version(connection, str(file))
        return Contents(version, count(connection, runs), count(connection, events), file.stat().st_size)


def count(connection: Connection, table: Table) -> int:
    """Count the rows of a table."""
    return int(connection.execute(select(func.count()).select_from(table)).scalar_one())


def known_version(connection: Connection, name: str) -> str:
    """Read the version of a store that there are steps to."""
    version = version_of(connection, name)
    if version is None:
        raise StoreError(f"`{name}` is an empty database, not a store of Loopwright", OTHER_STORE)
    refuse_newer(version, known_versions(), name)
    return version


@contextmanager
def written(file: Path) -> Iterator[Path]:
    """Give a name beside a file to write to; what is there at the end becomes the file, on the disk and at once."""
    handle, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.", suffix=".part")
    part = Path(name)
    try:
        yield part
        os.fsync(handle)
        part.replace(file)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    finally:
        os.close(handle)
    _sync_folder(file.parent)


@contextmanager
def explained(trouble: str) -> Iterator[None]:
    """Turn what a database or a disk says into an error that people can act on."""
    try:
        yield
    except exc.DBAPIError as error:
        raise StoreError(f"{trouble}: {error.orig}", "see: loopwright doctor") from error
    except (sqlite3.Error, OSError) as error:
        raise StoreError(f"{trouble}: {error}", "see: loopwright doctor") from error


def refuse_store(store: Path, file: Path, hint: str) -> None:
    """Refuse a file that is the store itself, or would be one that SQLite keeps beside it."""
    if file.exists() and store.exists() and file.samefile(store):
        raise UsageError(f"`{file}` is the store itself", hint)
    if file.resolve() in parts_of(store.resolve()):
        raise UsageError(f"`{file}` belongs to the store `{store}`", hint)


def parts_of(store: Path) -> list[Path]:
    """Name the files of a store, whether they are there or not; the one that has the name of the store is the last."""
    return [store.with_name(f"{store.name}{suffix}") for suffix in ("-wal", "-shm", "-journal", "")]


def _refuse(source: Path | None, file: Path, force: bool) -> None:
    """Refuse what could only go wrong, before anything is written."""
    if source is not None and not source.is_file():
        raise StoreError(f"there is no store at `{source}`", "the first run makes one: there is nothing to keep yet")
    if not file.absolute().parent.is_dir():
        raise UsageError(f"there is no folder `{file.absolute().parent}`", "make it first, or name a file elsewhere")
    if file.is_dir():
        raise UsageError(f"`{file}` is a folder", f"name a file in it: {file / 'store.backup'}")
    if source is not None:
        refuse_store(source, file, "name another file")
    if (file.exists() or file.is_symlink()) and not file.is_file():
        raise UsageError(f"`{file}` is not a regular file: it is not replaced", "name another file")
    if file.exists() and not force:
        raise UsageError(f"`{file}` is there already", "name another file, or replace it with --force")


def _copy_sqlite(source: Path, part: Path) -> None:
    # One reading transaction, however many write meanwhile; the online backup would begin again after each write.
    with reading_engine(source).connect() as checked:
        known_version(checked, str(source))
    with closing(connect(source, "rw")) as connection:  # read-only, it could not write the copy either
        connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
        connection.execute("VACUUM INTO ?", (str(part),))


def _new_file(path: Path) -> Engine:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
        connection.execute("VACUUM")
    return writing_engine(path)


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
