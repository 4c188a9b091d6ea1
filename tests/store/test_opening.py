"""A store is made when missing, opened when ours, and left alone when not."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from loopwright.errors import StoreError
from loopwright.store import open_store
from loopwright.store.steps import known_versions

from .samples import kinds, make_run, make_step


def contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def made(path: Path) -> Path:
    """Make a store with a run in it."""
    with open_store(path, kinds) as store:
        run = make_run()
        store.add_run(run, make_step(run))
    return path


def test_the_file_and_its_folders_are_made(tmp_path: Path) -> None:
    """A store that is not there is made, with all the folders above it."""
    path = tmp_path / "a b" / "c%d" / "é?#.sqlite"
    with open_store(path, kinds) as store:
        assert store.runs() == []
    assert path.is_file()


def test_an_empty_file_becomes_a_store(tmp_path: Path) -> None:
    """A file with nothing in it is as good as none."""
    path = tmp_path / "store.sqlite"
    path.touch()
    with open_store(path, kinds) as store:
        assert store.runs() == []


def test_a_store_can_be_named_in_many_ways(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A path, its text, a path from home, a relative one and a URL name the same file."""
    path = made(tmp_path / "store.sqlite")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    names = (path, str(path), "~/store.sqlite", "store.sqlite", f"sqlite:///{path}", "sqlite:///store.sqlite")
    for name in names:
        with open_store(name, kinds) as store:
            assert len(store.runs()) == 1, name


@pytest.mark.parametrize("name", [":memory:", "sqlite:///:memory:", "folder/:memory:"])
def test_a_store_is_not_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """A name that SQLite takes for memory is refused: no file of that name is made."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(StoreError, match="can't be in memory"):
        open_store(name, kinds)
    assert list(tmp_path.iterdir()) == []


def test_closing_leaves_one_file(tmp_path: Path) -> None:
    """After the last one has let go, the store is a single file that can be copied."""
    made(tmp_path / "store.sqlite")
    assert list(contents(tmp_path)) == ["store.sqlite"]


def test_a_closed_store_opens_again_by_itself(tmp_path: Path) -> None:
    """Letting go of the database twice, or too early, breaks nothing."""
    with open_store(tmp_path / "store.sqlite", kinds) as store:
        store.close()
        assert store.runs() == []
        store.close()


def test_opening_a_store_of_today_imports_no_alembic(tmp_path: Path) -> None:
    """What is only needed to change a store is not paid for when there is nothing to change."""
    path = made(tmp_path / "store.sqlite")
    program = "import sys; from loopwright.store import open_store; open_store(sys.argv[1], None); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program, str(path)], check=True, capture_output=True, text=True)
    assert "sqlalchemy" in done.stdout.split()
    assert [name for name in done.stdout.split() if name.startswith("alembic")] == []


def newer(path: Path) -> Path:
    """Make a store as a later Loopwright might leave it."""
    made(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(
            "UPDATE alembic_version SET version_num = '9999'; ALTER TABLE runs ADD COLUMN mood TEXT"
        )
    return path


def test_a_newer_store_is_refused_untouched(tmp_path: Path) -> None:
    """A store from a later version is not opened, and no byte of it or file beside it changes."""
    path = newer(tmp_path / "store.sqlite")
    before = contents(tmp_path)
    with pytest.raises(StoreError) as caught:
        open_store(path, kinds)
    assert "`9999`" in caught.value.message
    assert known_versions()[-1] in caught.value.message
    assert caught.value.hint == "upgrade Loopwright, or name another store with LOOPWRIGHT_STORE"
    assert contents(tmp_path) == before


def test_a_newer_store_after_a_crash_is_refused_untouched(tmp_path: Path) -> None:
    """Not even a log that a crash left behind is folded into a store that we do not know."""
    path = made(tmp_path / "store.sqlite")
    crashed = tmp_path / "crashed"
    crashed.mkdir()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.commit()
        for name in ("store.sqlite", "store.sqlite-wal"):
            shutil.copy(tmp_path / name, crashed / name)
    before = contents(crashed)
    with pytest.raises(StoreError, match="9999"):
        open_store(crashed / "store.sqlite", kinds)
    after = contents(crashed)
    assert {name: after[name] for name in before} == before


def test_a_file_that_is_no_database_is_refused_untouched(tmp_path: Path) -> None:
    """Somebody's notes are not taken for a store."""
    path = tmp_path / "notes.txt"
    path.write_text("remember the milk\n" * 100)
    before = contents(tmp_path)
    with pytest.raises(StoreError, match=r"notes\.txt` can't be opened: file is not a database"):
        open_store(path, kinds)
    assert contents(tmp_path) == before


def test_somebody_elses_database_is_refused_untouched(tmp_path: Path) -> None:
    """A database of another program does not get our tables."""
    path = tmp_path / "photos.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE photos (id TEXT)")
    before = contents(tmp_path)
    with pytest.raises(StoreError, match="not a store of Loopwright"):
        open_store(path, kinds)
    assert contents(tmp_path) == before


def test_a_folder_is_refused(tmp_path: Path) -> None:
    """A folder is not a store, and the hint names a file in it."""
    with pytest.raises(StoreError, match="is a folder") as caught:
        open_store(tmp_path, kinds)
    assert str(tmp_path / "store.sqlite") in caught.value.hint


def test_a_place_below_a_file_is_refused(tmp_path: Path) -> None:
    """A folder that can't be made is named, with another way out."""
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match="can't be opened") as caught:
        open_store(tmp_path / "file" / "store.sqlite", kinds)
    assert "LOOPWRIGHT_STORE" in caught.value.hint


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="needs a folder that even root can't write to")
def test_an_unwritable_place_is_refused() -> None:
    """A folder that takes no files is named, with what the system said."""
    with pytest.raises(StoreError, match=r"/proc/self/store\.sqlite` can't be opened: unable to open"):
        open_store("/proc/self/store.sqlite", kinds)


@pytest.mark.parametrize("name", ["mysql://me:secret@host/db", "sqlite://", "https://example.com/store.sqlite"])
def test_a_place_of_another_kind_is_refused(name: str) -> None:
    """What is not a file is refused, without repeating a password that may be in it."""
    with pytest.raises(StoreError, match=f"can't be in `{name.partition(':')[0]}`") as caught:
        open_store(name, kinds)
    assert "secret" not in str(caught.value)
