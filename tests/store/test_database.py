"""Both databases are read and written alike."""

from __future__ import annotations

from pathlib import Path

import pytest

from loopwright.errors import StoreError
from loopwright.store import Store
from loopwright.store.database import Database, Taken, shown


@pytest.fixture
def database(store: Store) -> Database:
    return store._database


def test_a_read_sees_one_state(database: Database) -> None:
    """Somebody who reads is in nobody's way, and sees one state for as long as he reads."""
    count = "SELECT count(*) FROM alembic_version"
    with database.read() as reading:
        assert reading.exec_driver_sql(count).scalar() == 1
        with database.write() as writing:
            writing.exec_driver_sql("DELETE FROM alembic_version")
        assert reading.exec_driver_sql(count).scalar() == 1
    with database.read() as reading:
        assert reading.exec_driver_sql(count).scalar() == 0


def test_a_write_that_fails_leaves_nothing(database: Database) -> None:
    """What a write did before it failed is undone, tables included."""
    with pytest.raises(ZeroDivisionError), database.write() as connection:
        connection.exec_driver_sql("CREATE TABLE half (id TEXT)")
        connection.exec_driver_sql("DELETE FROM alembic_version")
        raise ZeroDivisionError
    with database.read() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM alembic_version").scalar() == 1
    with pytest.raises(StoreError, match="half"), database.read() as connection:
        connection.exec_driver_sql("SELECT * FROM half")


def test_what_is_taken_is_told_apart(database: Database) -> None:
    """A key that is taken is an error of its own, which names the store."""
    with pytest.raises(Taken, match="can't be written") as caught, database.write() as connection:
        connection.exec_driver_sql("INSERT INTO alembic_version SELECT version_num FROM alembic_version")
    assert database.name in caught.value.message


@pytest.mark.parametrize(
    ("place", "told"),
    [
        (Path("/a/store.sqlite"), "/a/store.sqlite"),
        ("/a/store.sqlite", "/a/store.sqlite"),
        ("postgresql://me@host/db", "postgresql://me@host/db"),
        ("postgres://me:hunter2@host:5433/db", "postgres://me:***@host:5433/db"),
        ("postgresql:///db?user=me&password=hunter2&sslpassword=x", "postgresql:///db?user=me"),
        ("postgresql:///db?host=/run/pg&passwd=hunter2&pw=x", "postgresql:///db?host=%2Frun%2Fpg"),
        ("postgresql://me:hunt@er2@host/db", "postgresql://***"),
        ("postgresql://me:hunt@er?2@host/db", "postgresql://***"),
    ],
)
def test_a_password_is_not_shown(place: str | Path, told: str) -> None:
    """The name of a store is shown without what is secret in it."""
    assert shown(place) == told
