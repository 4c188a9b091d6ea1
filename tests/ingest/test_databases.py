"""Databases of other programs: read as they are, and never touched."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from loopwright.ingest.databases import Snapshot, Unreadable, database_of, state_of


def _made(path: Path) -> Path:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript("CREATE TABLE a (b, c); INSERT INTO a VALUES ('one', 1), (CAST(x'ff' AS TEXT), 2)")
    return path


def test_rows_are_read_and_bad_text_too(tmp_path: Path) -> None:
    """Text that is no UTF-8 is read as far as it goes."""
    snapshot = Snapshot(_made(tmp_path / "x.db"))
    assert snapshot.tables == {"a": ["b", "c"]}
    assert list(snapshot.rows("SELECT b FROM a WHERE c > 0 ORDER BY c")) == [("one",), ("\ufffd",)]


def test_it_is_read_while_its_program_writes(tmp_path: Path) -> None:
    """A program in the middle of a change, which locks all others out, does not keep us from reading what was."""
    path = _made(tmp_path / "x.db")
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("BEGIN EXCLUSIVE")
        connection.execute("DELETE FROM a")
        assert len(list(Snapshot(path).rows("SELECT * FROM a"))) == 2


def test_a_change_is_known_by_its_state(tmp_path: Path) -> None:
    """More in the log beside it is a change too."""
    path = _made(tmp_path / "x.db")
    before = state_of(path)
    (tmp_path / "x.db-wal").write_bytes(b"more")
    assert state_of(path) != before
    assert database_of(tmp_path / "x.db-wal") == database_of(path) == path


@pytest.mark.parametrize("content", [b"SQLite format 3\0" + b"\xff" * 5000, b"no database at all" * 100])
def test_a_broken_one_says_so(tmp_path: Path, content: bytes) -> None:
    """What is no database, or was cut, is named with what is wrong."""
    path = tmp_path / "x.db"
    path.write_bytes(content)
    with pytest.raises(Unreadable, match=f"`{path}` can't be read"):
        list(Snapshot(path).rows("SELECT * FROM sqlite_master"))


def test_one_that_lost_its_end_says_so(tmp_path: Path) -> None:
    """A query over pages that are not there any more is no end of the scan, but an error with a name."""
    path = _made(tmp_path / "x.db")
    path.write_bytes(path.read_bytes()[:4096])
    with pytest.raises(Unreadable, match="can't be read"):
        list(Snapshot(path).rows("SELECT * FROM a"))
