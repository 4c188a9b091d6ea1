"""A backup -> the store that it is put back into, SQLite or PostgreSQL; what was there is kept aside."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from loopwright.errors import StoreError, UsageError
from loopwright.process.identity import alive
from loopwright.records.identity import timestamp
from loopwright.records.shape import Kinds
from loopwright.store.backup import Contents, back_up, contents_of, count, explained, parts_of, refuse_store
from loopwright.store.copying import clear, copy_rows
from loopwright.store.database import shown
from loopwright.store.leases import processes
from loopwright.store.opening import open_store
from loopwright.store.place import connect, file_of, reading_engine, writing_engine
from loopwright.store.schema import runs
from loopwright.store.steps import take_steps
from loopwright.store.version import version_of

_REPLACE = "keep what is there and restore all the same with --force; or name another store with LOOPWRIGHT_STORE"


def restore(
    file: Path, place: str | Path, home: Path, kinds: Kinds, *, force: bool = False
) -> tuple[Contents, Path | None]:
    """Put a backup into a store that is empty or not there; by force into any, whose content is kept aside.

    Gives what was restored and where what was there is now: beside the file, or in `home` where there is none.
    """
    target = file_of(place)
    if target is not None:
        refuse_store(target, file, "name a backup of it")
    found = examine(file)
    kept = _make_room(place, target, _aside(target or home / "store"), force)
    open_store(place, kinds).close()  # made where it is not there
    with explained(f"`{file}` can't be restored into `{shown(place)}`"):
        _fill(file, place, found.version)
    open_store(place, kinds).close()  # brought up to date where the backup is older
    return found, kept


def examine(file: Path) -> Contents:
    """Say what a backup holds; one that is broken, no store, or of a newer version is refused."""
    if not file.is_file():
        raise UsageError(f"there is no file `{file}`", "name what `loopwright backup` has written")
    with explained(f"the backup `{file}` can't be read"):
        trouble = broken(file)
        if trouble:
            raise StoreError(f"the backup `{file}` is broken: {trouble}", "restore an older one")
        return contents_of(file)


def broken(file: Path) -> str:
    """Say what is wrong with a SQLite file; nothing where it is sound."""
    try:
        with closing(connect(file)) as connection:
            (said,) = connection.execute("PRAGMA quick_check(1)").fetchone()
            return "" if said == "ok" else str(said)
    except sqlite3.DatabaseError as error:
        return str(error)


def _make_room(place: str | Path, target: Path | None, aside: Path, force: bool) -> Path | None:
    """Keep aside what is in a store; give where."""
    if target is not None and not target.exists():
        return None
    if target is not None and (trouble := broken(target)):
        if not force:
            raise StoreError(f"the store `{target}` is broken: {trouble}", _REPLACE)
        return _move(target, aside)
    with explained(f"the store `{shown(place)}` can't be read"):
        count = _runs(place)
    if not count:
        return None
    if not force:
        raise UsageError(f"the store `{shown(place)}` holds {count:,} run{'s' if count > 1 else ''} already", _REPLACE)
    if working := _at_work(place):
        said = f"process {working[0].partition(':')[0]} is at work on a run of the store `{shown(place)}`"
        raise UsageError(said, "stop it first (Ctrl-C): what it writes afterwards would have no place")
    back_up(place, aside)
    return aside


def _aside(target: Path) -> Path:
    moment = "".join(sign for sign in timestamp() if sign.isalnum())
    return target.with_name(f"{target.name}.{moment}.backup")


def _move(target: Path, aside: Path) -> Path:
    for part, kept in zip(parts_of(target), parts_of(aside), strict=True):
        if part.exists():
            part.rename(kept)
    return aside


def _runs(place: str | Path) -> int:
    with reading_engine(place).connect() as connection:
        return 0 if version_of(connection, shown(place)) is None else count(connection, runs)


def _fill(file: Path, place: str | Path, version: str) -> None:
    """Replace the content of a store, in one transaction."""
    with reading_engine(file).connect() as reading, writing_engine(place).begin() as writing:
        clear(writing)
        take_steps(writing, version=version)
        copy_rows(reading, writing)


def _at_work(place: str | Path) -> list[str]:
    """Name the processes that hold runs and may be alive."""
    with reading_engine(place).connect() as connection:
        return [process for process in processes(connection) if alive(process) is not False]
