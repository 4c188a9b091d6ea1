"""How a store is, told without changing it."""

from __future__ import annotations

import os
import re
import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from loopwright.errors import StoreError
from loopwright.records.event import Event, EventKind
from loopwright.records.run import Reason, Status
from loopwright.store import open_store
from loopwright.store.health import examine
from loopwright.store.place import writing_engine
from loopwright.store.steps import known_versions, take_steps

from .samples import kinds, make_run, make_step, numbered

NOBODY = 65534


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Give a store with a run that is done, two at work, and one that waits for a human."""
    path = tmp_path / "store.sqlite"
    states = {Status.DONE: Reason.CRITERIA_MET, Status.RUNNING: None, Status.ESCALATED: Reason.STALLED}
    with open_store(path, kinds) as store:
        for status in (Status.DONE, Status.RUNNING, Status.RUNNING, Status.ESCALATED):
            run = make_run(status=status, reason=states[status])
            store.add_run(run, make_step(run))
            store.append_events(run.id, numbered(*(Event(EventKind.MESSAGE, "x" * 900) for _ in range(50))))
    return path


def everything(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def test_a_sound_store(path: Path) -> None:
    """It tells version, size, room and how many runs there are, and leaves everything as it was."""
    before = everything(path.parent)
    health = examine(path)
    assert (health.version, health.outdated, health.checked) == (known_versions()[-1], False, True)
    assert (health.runs, health.running, health.waiting) == (4, 2, 1)
    assert health.size == path.stat().st_size
    assert health.free is not None and health.free > 0
    assert everything(path.parent) == before


def test_a_store_in_use(path: Path) -> None:
    """What is in the log of writers counts, and nothing is left behind."""
    with open_store(path, kinds) as store:
        run = make_run()
        store.add_run(run, make_step(run))
        before = sorted(everything(path.parent))
        health = examine(path)
        assert health.runs == 5
        assert health.size > path.stat().st_size
        assert sorted(everything(path.parent)) == before


def test_an_older_store_is_not_migrated(tmp_path: Path) -> None:
    """A store that the next run would migrate is told as outdated, and stays as it is."""
    with writing_engine(tmp_path / "old").begin() as connection:
        take_steps(connection, version="0001")
    before = everything(tmp_path)
    health = examine(tmp_path / "old")
    assert (health.version, health.outdated, health.runs) == ("0001", True, 0)
    assert everything(tmp_path) == before


def test_no_store_yet(tmp_path: Path) -> None:
    """A store that is not there is fine, and is not made."""
    assert examine(tmp_path / "none" / "store.sqlite").version is None
    assert everything(tmp_path) == {}


def test_a_store_that_is_too_large_to_be_checked(path: Path) -> None:
    """A look that takes too long is ended, and it is said that it was not a whole one."""
    with open_store(path, kinds) as store:
        run = store.runs()[0]
        store.append_events(run.id, numbered(*(Event(EventKind.MESSAGE, "x") for _ in range(30_000)), first=51))
    health = examine(path, check_s=0.0)
    assert (health.checked, health.runs) == (False, 4)


def overwritten(path: Path) -> None:
    content = path.read_bytes()
    path.write_bytes(content[:20480] + b"\xff" * 40960 + content[61440:])


def orphaned(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        for table in ("outcomes", "rollups", "steps"):
            connection.execute(f"DELETE FROM {table} WHERE run_id = (SELECT min(id) FROM runs)")
        connection.execute("DELETE FROM runs WHERE id = (SELECT min(id) FROM runs)")
        connection.commit()


def newer(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.commit()


def made_a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize(
    ("spoil", "words", "hint"),
    [
        (overwritten, "is broken", "loopwright restore"),
        (lambda path: path.write_bytes(path.read_bytes()[:30_000]), "is broken", "loopwright restore"),
        (lambda path: path.write_text("words\n" * 5000), "is broken: file is not a database", "loopwright restore"),
        (lambda path: path.write_bytes(b""), "has no bytes", "loopwright restore"),
        (orphaned, "belongs to none of runs", "loopwright restore"),
        (made_a_folder, "is a folder", "name a file in it"),
        (newer, "has version `9999`", "upgrade Loopwright"),
    ],
)
def test_a_broken_store(path: Path, spoil: Callable[[Path], None], words: str, hint: str) -> None:
    """What is wrong is told with what to do, and nothing is changed."""
    spoil(path)
    before = path.is_file() and everything(path.parent)
    with pytest.raises(StoreError, match=re.escape(words)) as raised:
        examine(path)
    assert hint in raised.value.hint
    assert (path.is_file() and everything(path.parent)) == before


def said_to_nobody(path: Path) -> str:
    """Give what somebody hears who has no rights."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            if os.geteuid() == 0:
                os.setuid(NOBODY)
            examine(path)
            os.write(writing, b"fine")
        except BaseException as error:
            os.write(writing, str(error).encode())
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    os.close(writing)
    with os.fdopen(reading) as said:
        return said.read()


def test_no_permission() -> None:
    """A store, or a folder, that may not be read is told apart from one that is broken or not there."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        path = Path(folder, "store.sqlite")
        open_store(path, kinds).close()
        path.chmod(0o000)
        assert "can't be read and written: permission denied" in said_to_nobody(path)
        path.chmod(0o600)
        Path(folder).chmod(0o000)
        said = said_to_nobody(path)
        Path(folder).chmod(0o755)
        assert "can't be reached: Permission denied" in said


def test_a_server_that_does_not_answer() -> None:
    """A server that is not there is told, without its password."""
    pytest.importorskip("psycopg")
    with pytest.raises(StoreError, match="does not answer") as raised:
        examine("postgresql://ada:secret@127.0.0.1:1/nowhere?connect_timeout=2")
    assert "secret" not in str(raised.value)
