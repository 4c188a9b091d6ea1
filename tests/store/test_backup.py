"""A store that others write to becomes one file that is whole."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from loopwright.errors import StoreError, UsageError
from loopwright.records.event import Event, EventKind
from loopwright.records.run import Acceptance
from loopwright.store import Store, open_store
from loopwright.store.backup import back_up, copy_to_file
from loopwright.store.place import reading_engine, writing_engine
from loopwright.store.steps import known_versions, take_steps

from .samples import AT, full_attempt, full_check, full_comment, full_event, full_run, kinds, make_step, numbered

WRITER = """
import sys
from loopwright.records.event import Event, EventKind
from loopwright.store import open_store
sys.path.insert(0, sys.argv[2])
from store.samples import kinds, make_run, make_step, numbered
with open_store(sys.argv[1], kinds) as store:
    run = make_run()
    store.add_run(run, make_step(run))
    print("ready", flush=True)
    for first in range(1, 1_000_000, 10):
        batch = (Event(EventKind.TOOL_CALL, "x" * 200, "Bash") for _ in range(10))
        store.append_events(run.id, numbered(*batch, first=first))
"""


def fill(store: Store) -> None:
    """Put a row with a value in every column into each table that a run writes."""
    run = full_run()
    step = make_step(run)
    attempt = full_attempt(step)
    store.add_run(run, step)
    store.save_attempt(attempt)
    store.add_checks([full_check(attempt)])
    store.add_comment(full_comment(run.id))
    store.add_acceptance(Acceptance("a", run.id, AT, "Ada", "it is right ✓", {"tests/x": ""}))
    store.append_events(run.id, [full_event()])
    store.append_events(run.id, numbered(*(Event(EventKind.MESSAGE, f"{n} ✓") for n in range(1200)), first=8))


def rows_of(path: Path) -> dict[str, list[dict[str, Any]]]:
    """Give all rows of all tables, by column."""
    with closing(sqlite3.connect(path)) as connection:
        connection.row_factory = sqlite3.Row
        names = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {
            name: sorted(
                (dict(row) for row in connection.execute(f"SELECT * FROM {name}")),
                key=lambda row: sorted(map(str, row.items())),
            )
            for name in names
        }


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Give a store with something in every table."""
    path = tmp_path / "store.sqlite"
    with open_store(path, kinds) as store:
        fill(store)
    return path


def test_every_row_is_in_the_copy(path: Path, tmp_path: Path) -> None:
    """The copy has each table with each row as it was, and says what it holds."""
    file = tmp_path / "copy"
    contents = back_up(path, file)
    assert rows_of(file) == rows_of(path)
    assert (contents.runs, contents.events, contents.version) == (1, 1201, known_versions()[-1])
    assert contents.size == file.stat().st_size
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["copy", "store.sqlite"]


def test_row_by_row_gives_the_same(path: Path, tmp_path: Path) -> None:
    """The copy that any database can give is a store with the same rows, tables, indexes and views."""
    with reading_engine(path).connect() as connection:
        copy_to_file(connection, tmp_path / "copy")
    assert rows_of(tmp_path / "copy") == rows_of(path)
    with open_store(tmp_path / "copy", kinds) as copy, open_store(path, kinds) as store:
        assert copy.runs() == store.runs()
        assert copy.view("run_summary") == store.view("run_summary")


def test_a_copy_in_somebody_elses_transaction(path: Path, tmp_path: Path) -> None:
    """A connection is read in the transaction that it is in: what it has changed itself is in the copy."""
    with writing_engine(path).connect() as connection:
        connection.exec_driver_sql("UPDATE runs SET goal = 'changed'")
        copy_to_file(connection, tmp_path / "copy")
        connection.rollback()
    assert rows_of(tmp_path / "copy")["runs"][0]["goal"] == "changed"


def test_an_older_store_is_copied_as_it_is(tmp_path: Path) -> None:
    """A store that was not migrated yet is not migrated by its backup, whichever way it is copied."""
    with writing_engine(tmp_path / "old").begin() as connection:
        take_steps(connection, version="0002")
    before = (tmp_path / "old").read_bytes()
    assert back_up(tmp_path / "old", tmp_path / "copy").version == "0002"
    with reading_engine(tmp_path / "old").connect() as connection:
        copy_to_file(connection, tmp_path / "row by row")
    assert rows_of(tmp_path / "row by row")["alembic_version"] == [{"version_num": "0002"}]
    assert (tmp_path / "old").read_bytes() == before


@contextmanager
def writers(path: Path, count: int) -> Iterator[None]:
    """Let processes write to a store as fast as they can."""
    command = [sys.executable, "-c", WRITER, str(path), str(Path(__file__).parent.parent)]
    started = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(count)]
    try:
        for process in started:
            assert process.stdout is not None and process.stdout.readline() == b"ready\n"
        yield
        assert [process.poll() for process in started] == [None] * count
    finally:
        for process in started:
            process.kill()
            process.communicate()


def test_while_others_write(path: Path, tmp_path: Path) -> None:
    """Copies that are made while four processes write are whole: events are numbered without gaps, and counted."""
    with writers(path, 4):
        for number in range(3):
            back_up(path, tmp_path / f"copy {number}")
    for number in range(3):
        with closing(sqlite3.connect(tmp_path / f"copy {number}")) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            told = "SELECT count(*), max(seq), min(seq) FROM events WHERE kind = 'tool_call' GROUP BY run_id"
            found = connection.execute(f"{told} ORDER BY run_id").fetchall()
            assert found and all(count == last and first == 1 for count, last, first in found)
            counted = connection.execute("SELECT calls FROM rollups WHERE calls > 0 ORDER BY run_id").fetchall()
            assert [count for count, _, _ in found] == [calls for (calls,) in counted]


def test_a_file_that_is_there_is_kept(path: Path, tmp_path: Path) -> None:
    """An existing file is refused unless it may be replaced."""
    file = tmp_path / "copy"
    file.write_text("mine")
    with pytest.raises(UsageError, match="is there already"):
        back_up(path, file)
    assert file.read_text() == "mine"
    back_up(path, file, force=True)
    assert rows_of(file) == rows_of(path)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("store.sqlite", "is the store itself"),
        *((f"store.sqlite-{part}", "belongs to the store") for part in ("wal", "shm", "journal")),
        ("nowhere/copy", "there is no folder"),
        (".", "folder"),
        ("pipe", "is not a regular file"),
        ("dangling", "is not a regular file"),
    ],
)
def test_places_that_can_not_be_meant(path: Path, name: str, words: str) -> None:
    """A backup is not written over any part of the store, into a folder that is not there, or over what is no file."""
    os.mkfifo(path.parent / "pipe")
    (path.parent / "dangling").symlink_to("not there")
    before = sorted(entry.name for entry in path.parent.iterdir())
    with pytest.raises(UsageError, match=words):
        back_up(path, path.parent / name, force=True)
    assert sorted(entry.name for entry in path.parent.iterdir()) == before
    assert (path.parent / "pipe").is_fifo() and (path.parent / "dangling").is_symlink()


def test_the_log_of_a_store_behind_a_link(path: Path, tmp_path: Path) -> None:
    """SQLite keeps its log beside the file that a link leads to: that is not written over either."""
    (tmp_path / "link").symlink_to(path)
    with pytest.raises(UsageError, match="belongs to the store"):
        back_up(tmp_path / "link", tmp_path / "store.sqlite-wal")


@pytest.mark.parametrize(
    ("content", "words"), [(None, "there is no store"), (b"", "is an empty database"), (b"x" * 5000, "not a database")]
)
def test_what_is_no_store_is_not_copied(tmp_path: Path, content: bytes | None, words: str) -> None:
    """Nothing is left behind where there is nothing to copy."""
    if content is not None:
        (tmp_path / "store").write_bytes(content)
    with pytest.raises(StoreError, match=words):
        back_up(tmp_path / "store", tmp_path / "copy")
    assert [entry.name for entry in tmp_path.iterdir()] == (["store"] if content is not None else [])


def test_a_broken_store_leaves_no_half_copy(path: Path, tmp_path: Path) -> None:
    """A copy that fails in the middle is not there, and an older one is as it was."""
    file = tmp_path / "copy"
    file.write_text("older")
    with path.open("r+b") as store:
        store.seek(path.stat().st_size // 2)
        store.write(b"\xff" * 16384)
    with pytest.raises(StoreError, match="can't be copied"):
        back_up(path, file, force=True)
    assert file.read_text() == "older"
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["copy", "store.sqlite"]
