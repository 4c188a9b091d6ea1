"""A backup becomes a store again."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from loopwright.errors import StoreError, UsageError
from loopwright.store import open_store
from loopwright.store.backup import back_up
from loopwright.store.place import writing_engine
from loopwright.store.restoring import restore
from loopwright.store.steps import known_versions, take_steps

from .samples import kinds, make_run, make_step
from .test_backup import fill, rows_of

NEWEST = known_versions()[-1]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Give a backup with something in every table."""
    with open_store(tmp_path / "first", kinds) as store:
        fill(store)
    back_up(tmp_path / "first", tmp_path / "backup")
    (tmp_path / "first").unlink()
    return tmp_path / "backup"


@pytest.fixture
def used(tmp_path: Path) -> Path:
    """Give a store with a run of its own."""
    with open_store(tmp_path / "used", kinds) as store:
        run = make_run(id="of its own")
        store.add_run(run, make_step(run))
    return tmp_path / "used"


def test_into_nothing(file: Path, tmp_path: Path) -> None:
    """A store that is not there is made, folders and all, with each row as it was, ready for several writers."""
    target = tmp_path / "new" / "home" / "store.sqlite"
    contents, kept = restore(file, target, tmp_path, kinds)
    assert (contents.runs, contents.events, kept) == (1, 1201, None)
    assert rows_of(target) == rows_of(file)
    with closing(sqlite3.connect(target)) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert connection.execute("PRAGMA auto_vacuum").fetchone() == (2,)
    with open_store(target, kinds) as store:
        assert len(store.view("run_summary")) == 1


def test_into_a_store_without_runs(file: Path, tmp_path: Path) -> None:
    """A store that was made and never used is as good as none; so is a file without a byte."""
    open_store(tmp_path / "made", kinds).close()
    (tmp_path / "empty").touch()
    for name in ("made", "empty"):
        restore(file, tmp_path / name, tmp_path, kinds)
        assert rows_of(tmp_path / name) == rows_of(file)


def test_runs_are_not_overwritten(file: Path, used: Path) -> None:
    """A store that holds runs is refused and left as it is."""
    before = used.read_bytes()
    with pytest.raises(UsageError, match="holds 1 run already"):
        restore(file, used, used.parent, kinds)
    assert used.read_bytes() == before


def test_by_force_what_was_there_is_kept(file: Path, used: Path) -> None:
    """By force the store is replaced, and what it held lies beside it as a backup that can be restored."""
    before = rows_of(used)
    _, kept = restore(file, used, used.parent, kinds, force=True)
    assert rows_of(used) == rows_of(file)
    assert kept is not None and kept.name.startswith("used.2") and kept.name.endswith(".backup")
    assert rows_of(kept) == before
    restore(kept, used.with_name("other"), used.parent, kinds)
    assert rows_of(used.with_name("other")) == before


def test_a_broken_store_is_moved_aside(file: Path, used: Path) -> None:
    """A broken store is refused; by force it is kept byte for byte under another name."""
    used.write_bytes(used.read_bytes()[:9000])
    before = used.read_bytes()
    with pytest.raises(StoreError, match="is broken"):
        restore(file, used, used.parent, kinds)
    _, kept = restore(file, used, used.parent, kinds, force=True)
    assert kept is not None and kept.read_bytes() == before
    assert rows_of(used) == rows_of(file)


@pytest.mark.parametrize(("suffix", "words"), [("", "is the store itself"), ("-wal", "belongs to the store")])
def test_the_store_is_no_backup_of_itself(used: Path, suffix: str, words: str) -> None:
    """Neither the store nor its log is taken for a backup of it."""
    with pytest.raises(UsageError, match=words):
        restore(used.with_name(f"{used.name}{suffix}"), used, used.parent, kinds, force=True)


def test_somebody_elses_database_is_left_alone(file: Path, tmp_path: Path) -> None:
    """A database that is not a store is refused, also by force."""
    with closing(sqlite3.connect(tmp_path / "theirs")) as connection:
        connection.execute("CREATE TABLE theirs (id)")
    for force in (False, True):
        with pytest.raises(StoreError, match="not a store of Loopwright"):
            restore(file, tmp_path / "theirs", tmp_path, kinds, force=force)


def test_an_older_backup_is_brought_up_to_date(tmp_path: Path) -> None:
    """A backup of an older version is restored and migrated, and stays as it is itself."""
    with writing_engine(tmp_path / "old").begin() as connection:
        take_steps(connection, version="0002")
    before = (tmp_path / "old").read_bytes()
    restore(tmp_path / "old", tmp_path / "store", tmp_path, kinds)
    assert rows_of(tmp_path / "store")["alembic_version"] == [{"version_num": NEWEST}]
    assert (tmp_path / "old").read_bytes() == before


def broken(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-8192] + b"\xff" * 4096)


def newer(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.commit()


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (broken, "is broken"),
        (newer, "has version `9999`"),
        (lambda file: file.write_text("words\n" * 1000), "is broken: file is not a database"),
        (lambda file: file.write_bytes(b""), "is an empty database"),
        (lambda file: file.unlink(), "there is no file"),
    ],
)
def test_what_is_no_backup_changes_nothing(file: Path, used: Path, spoil, words: str) -> None:  # type: ignore[no-untyped-def]
    """A backup is looked at before the store is touched, also by force."""
    spoil(file)
    before = used.read_bytes()
    with pytest.raises((StoreError, UsageError), match=words):
        restore(file, used, used.parent, kinds, force=True)
    assert used.read_bytes() == before


def test_a_restore_that_fails_changes_nothing(file: Path, used: Path) -> None:
    """A backup whose rows do not belong together is refused in the middle, and the store is as it was."""
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("DELETE FROM runs")
        connection.commit()
    before = rows_of(used)
    with pytest.raises(StoreError, match="can't be restored"):
        restore(file, used, used.parent, kinds, force=True)
    assert rows_of(used) == before
