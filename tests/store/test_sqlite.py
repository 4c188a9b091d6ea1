"""Connections to SQLite are set up so that many can write."""

from __future__ import annotations

import errno
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from loopwright.errors import StoreError
from loopwright.store import Store, open_store
from loopwright.store.database import Database
from loopwright.store.patience import Patience
from loopwright.store.sqlite import diagnose, sqlite_database

from .samples import kinds, make_run, make_step


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "store.sqlite"
    open_store(path, kinds).close()
    return path


@pytest.fixture
def database(path: Path) -> Iterator[Database]:
    database = sqlite_database(path)
    yield database
    database.close()


def can_write(path: Path) -> bool:
    """Say whether another process could write at this moment."""
    with closing(sqlite3.connect(path, timeout=0, isolation_level=None)) as other:
        try:
            other.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError:
            return False
        return True


def test_a_write_holds_the_file_from_its_beginning(path: Path, database: Database) -> None:
    """Nobody else can begin to write between the first read and the first change of a write."""
    with database.write() as connection:
        connection.exec_driver_sql("SELECT count(*) FROM runs")
        assert not can_write(path)
    assert can_write(path)


def test_a_read_lets_others_write(path: Path, database: Database) -> None:
    """Somebody who reads is in nobody's way, and sees one state for as long as he reads."""
    with database.read() as reading:
        assert reading.exec_driver_sql("SELECT count(*) FROM alembic_version").scalar() == 1
        with database.write() as writing:
            writing.exec_driver_sql("DELETE FROM alembic_version")
        assert reading.exec_driver_sql("SELECT count(*) FROM alembic_version").scalar() == 1
    with database.read() as reading:
        assert reading.exec_driver_sql("SELECT count(*) FROM alembic_version").scalar() == 0


def test_many_can_read_at_once(database: Database) -> None:
    """Nobody waits for a connection: those that wait for the file would keep out those that need not."""
    with ExitStack() as stack:
        connections = [stack.enter_context(database.read()) for _ in range(40)]
        assert {connection.exec_driver_sql("SELECT 1").scalar() for connection in connections} == {1}


@pytest.mark.parametrize(
    ("setting", "value"),
    [("journal_mode", "wal"), ("busy_timeout", 30000), ("foreign_keys", 1), ("synchronous", 1)],
)
def test_every_connection_is_set_up(database: Database, setting: str, value: object) -> None:
    """Readers and writers log ahead, wait for each other, keep references whole and sync when it matters."""
    with database.read() as first, database.read() as second, database.write() as third:
        for connection in (first, second, third):
            assert connection.exec_driver_sql(f"PRAGMA {setting}").scalar() == value


def test_what_the_database_says_becomes_our_error(path: Path, database: Database) -> None:
    """A failing statement names the store, what could not be done, and the database's own words."""
    with pytest.raises(StoreError, match="no such table: nowhere") as caught, database.read() as connection:
        connection.exec_driver_sql("SELECT * FROM nowhere")
    assert f"the store `{path}` can't be read" in caught.value.message


def test_the_driver_need_not_ask_how_nothing_is_written(database: Database) -> None:
    """The driver knows at once what to do with nothing, with yes and with no, and they are written as before."""
    assert [sqlite3.adapt(value) for value in (None, True, False)] == [None, 1, 0]  # which raises where it has to ask
    with database.read() as connection:
        assert connection.exec_driver_sql("SELECT ?, ?, ?", (None, True, False)).one() == (None, 1, 0)


def test_a_file_that_others_write_for_long_is_waited_for(path: Path) -> None:
    """What is still locked when SQLite has waited is tried again, and said."""
    told: list[str] = []
    store = Store(sqlite_database(path, Patience(waiting=told.append), busy_s=0.01), kinds)
    run = make_run()
    with closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as other:
        other.execute("BEGIN IMMEDIATE")
        threading.Timer(0.3, lambda: other.execute("ROLLBACK")).start()
        store.add_run(run, make_step(run))
    assert store.runs() == [run]
    store.close()
    assert len(told) == 2
    assert "database is locked" in told[0]


def test_a_full_disk_passes(tmp_path: Path) -> None:
    """SQLite's own words for a full disk, and the system's, are known as such; a wrong statement is not."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("PRAGMA max_page_count = 1")
        with pytest.raises(sqlite3.OperationalError, match="full") as full:
            connection.execute("CREATE TABLE big (data)")
        with pytest.raises(sqlite3.OperationalError) as wrong:
            connection.execute("SELECT * FROM nowhere")
    assert diagnose(tmp_path, full.value) == "full"
    assert diagnose(tmp_path, OSError(errno.ENOSPC, "No space left on device")) == "full"
    assert diagnose(tmp_path, wrong.value) is None
    assert diagnose(tmp_path, OSError(errno.EACCES, "Permission denied")) is None


def test_sqlite_pays_for_no_server(tmp_path: Path) -> None:
    """Who keeps a store in a file imports neither the driver of PostgreSQL nor its dialect."""
    code = "import sys; from loopwright.store import open_store; open_store(sys.argv[1], None).runs(); "
    code += "print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code, tmp_path / "store"], check=True, capture_output=True, text=True)
    loaded = done.stdout.split()
    assert "sqlalchemy.dialects.sqlite" in loaded
    assert [name for name in loaded if name.startswith(("psycopg", "sqlalchemy.dialects.postgresql"))] == []
