"""The version of a store is read in one way, with an engine and without one."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from loopwright.errors import StoreError
from loopwright.store.place import reading_engine
from loopwright.store.version import refuse_newer, version_in, version_of

STORE = "CREATE TABLE alembic_version (version_num TEXT); "


def both(file: Path, script: str) -> tuple[str | None, str | None]:
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(script)
    with reading_engine(file).connect() as connection:
        return version_of(connection, str(file)), version_in(file)


@pytest.mark.parametrize(
    ("script", "version"),
    [("", None), (STORE, None), (STORE + "INSERT INTO alembic_version VALUES ('0002')", "0002")],
)
def test_both_ways_read_the_same(tmp_path: Path, script: str, version: str | None) -> None:
    """A store says its version, and a database without one has none."""
    assert both(tmp_path / "store", script) == (version, version)


def test_somebody_elses_database_has_no_version(tmp_path: Path) -> None:
    """Tables of another program are no store, and the file is named."""
    with pytest.raises(StoreError, match="theirs` is a database, but not a store"):
        both(tmp_path / "theirs", "CREATE TABLE photos (id)")
    with pytest.raises(StoreError, match="theirs` is a database, but not a store"):
        version_in(tmp_path / "theirs")


def test_only_a_newer_version_is_refused() -> None:
    """What there are steps to can be used, and what is empty as well."""
    for version in (None, "0001", "0002"):
        refuse_newer(version, ["0001", "0002"], "here")
    with pytest.raises(StoreError, match="`here` has version `0003`, this Loopwright knows up to `0002`"):
        refuse_newer("0003", ["0001", "0002"], "here")
