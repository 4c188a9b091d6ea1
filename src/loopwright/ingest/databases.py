"""A program's own SQLite database -> rows of it. The file is copied first: it is never opened, locked or changed."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
import weakref
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from loopwright.errors import LoopwrightError

MAGIC = b"SQLite format 3\0"
LOG_MAGIC = (b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83")
"""How the log of what is not yet in a database begins; it lies beside it."""
_LARGEST = 4_000_000_000
_TRIES = 3
_LOG = "-wal"
_LOG_HEAD = 32


class Unreadable(LoopwrightError):
    """A database that can't be read, and why."""


class Snapshot:
    """A database as it was at one moment."""

    def __init__(self, path: Path) -> None:
        self.state = state_of(path)
        self._path = path
        try:
            self._connection = _opened(path)
        except (sqlite3.Error, OSError) as error:
            raise Unreadable(f"`{path}` can't be read: {error}") from error
        weakref.finalize(self, self._connection.close)

    @cached_property
    def tables(self) -> dict[str, list[str]]:
        """Give the names of its tables, each with its columns; what only looks like a table is none."""
        names = [row[0] for row in self.rows("SELECT name FROM sqlite_master WHERE type = 'table'")]
        columns = "SELECT name FROM pragma_table_info(?)"
        return {name: [row[0] for row in self.rows(columns, name)] for name in names if isinstance(name, str)}

    def rows(self, query: str, *values: str) -> Iterator[Sequence[Any]]:
        """Give the rows of a query; text that is no UTF-8 is read as far as it goes."""
        try:
            yield from self._connection.execute(query, values)
        except sqlite3.Error as error:
            raise Unreadable(f"`{self._path}` can't be read: {error}") from error


def database_of(path: Path) -> Path:
    """Give the database that a file belongs to: itself, or the one that it is the log of."""
    return path.with_name(path.name.removesuffix(_LOG)) if path.name.endswith(_LOG) else path


def state_of(path: Path) -> tuple[object, ...]:
    """Give by what one knows whether a database has changed."""
    log = path.with_name(path.name + _LOG)
    return tuple((file.stat().st_size, file.stat().st_mtime_ns) for file in (path, log) if file.is_file())


def _opened(path: Path) -> sqlite3.Connection:
    if path.stat().st_size > _LARGEST:
        raise Unreadable(f"`{path}` is a database of more than {_LARGEST // 10**9} GB")
    with tempfile.TemporaryDirectory(prefix="loopwright-") as folder:
        copy = Path(folder) / "copy"
        _copy(path, copy)
        # Whoever collects what is no longer used may do so in a thread of its own.
        connection = sqlite3.connect(copy, check_same_thread=False)
        connection.text_factory = lambda raw: raw.decode(errors="replace")
        try:
            # What the log holds goes into the copy, so that it stays readable when its files have lost their names.
            for words in ("trusted_schema = OFF", "journal_mode = DELETE", "query_only = ON"):
                connection.execute(f"PRAGMA {words}").fetchall()
        except sqlite3.Error:
            connection.close()
            raise
        return connection


def _copy(path: Path, copy: Path) -> None:
    """Copy a database and its log, once more where it was written to meanwhile."""
    log = path.with_name(path.name + _LOG)
    for _ in range(_TRIES):
        before = _written_at(path, log)
        shutil.copyfile(path, copy)
        if log.is_file():
            shutil.copyfile(log, copy.with_name(copy.name + _LOG))
        if _written_at(path, log) == before:
            return


def _written_at(path: Path, log: Path) -> object:
    """Tell the state in which a copy is whole: more at the end of the log does no harm."""
    told = path.stat()
    if not log.is_file():
        return told.st_size, told.st_mtime_ns, b""
    with log.open("rb") as file:
        return told.st_size, told.st_mtime_ns, file.read(_LOG_HEAD)
