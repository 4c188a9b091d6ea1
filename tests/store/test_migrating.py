"""A store of any age becomes one of today."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from alembic.config import Config
from alembic.script import ScriptDirectory

from loopwright.errors import StoreError
from loopwright.process.identity import myself
from loopwright.records.proof import Proof
from loopwright.records.run import Acceptance
from loopwright.records.tally import Counts
from loopwright.store import open_store
from loopwright.store.migrating import MIGRATIONS, migrate, take_steps
from loopwright.store.schema import VIEWS
from loopwright.store.sqlite import sqlite_database, sqlite_engine

from .samples import AT, kinds, make_check, make_run, make_step

NEWEST = max(file.name[:4] for file in (MIGRATIONS / "versions").glob("[0-9]*.py"))


def made_of(path: Path, kind: str) -> dict[str, str]:
    """Give the tables, indexes or views of a file by name, as they were made."""
    chosen = "SELECT name, sql FROM sqlite_master WHERE type = ? AND sql IS NOT NULL AND name <> 'alembic_version'"
    with closing(sqlite3.connect(path)) as connection:
        return dict(connection.execute(chosen, (kind,)).fetchall())


def columns_of(path: Path) -> dict[str, list[list[tuple[object, ...]]]]:
    """Give the columns, with types and keys, of each table: a column that was added later stands at another place."""
    asked = ("foreign_key_list", "index_list")
    with closing(sqlite3.connect(path)) as connection:
        return {
            name: [
                sorted(
                    row[1:] if question != "index_list" else row[2:]
                    for row in connection.execute(f"PRAGMA {question}({name})")
                )
                for question in asked
            ]
            for name in made_of(path, "table")
        }


def version_of(path: Path) -> str:
    with closing(sqlite3.connect(path)) as connection:
        return str(connection.execute("SELECT version_num FROM alembic_version").fetchone()[0])


def test_the_steps_make_what_the_schema_says(tmp_path: Path) -> None:
    """Tables, columns, types, keys, indexes and views after all steps are exactly those of a new store."""
    open_store(tmp_path / "created", kinds).close()
    engine = sqlite_engine(tmp_path / "migrated")
    with engine.begin() as connection:
        take_steps(connection)
    engine.dispose()
    for kind in ("index", "view"):
        assert made_of(tmp_path / "migrated", kind) == made_of(tmp_path / "created", kind)
    assert columns_of(tmp_path / "migrated") == columns_of(tmp_path / "created")
    assert made_of(tmp_path / "migrated", "view").keys() == VIEWS.keys()
    assert version_of(tmp_path / "migrated") == version_of(tmp_path / "created")


def test_a_new_store_needs_no_alembic(tmp_path: Path) -> None:
    """Nobody pays for the migrations when there is nothing to migrate."""
    code = "import sys; from loopwright.store import open_store; open_store(sys.argv[1], None).close(); "
    code += "sys.exit('alembic' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code, str(tmp_path / "store")]).returncode == 0


def test_events_have_no_rowid(tmp_path: Path) -> None:
    """An event is found by run and number alone: there is no second key to pay for."""
    open_store(tmp_path / "store", kinds).close()
    assert "WITHOUT ROWID" in made_of(tmp_path / "store", "table")["events"]


def test_every_step_is_called_by_its_number() -> None:
    """A step's file name says its version, which is what spares us to import Alembic."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    steps = list(ScriptDirectory.from_config(config).walk_revisions())
    assert steps
    assert [step.revision for step in steps] == [Path(step.path).name.partition("_")[0] for step in steps]
    assert [step.revision for step in steps] == [f"{number:04d}" for number in range(len(steps), 0, -1)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Give a store at today's version, with a run in it."""
    path = tmp_path / "store.sqlite"
    with open_store(path, kinds) as store:
        run = make_run(id="the-run")
        store.add_run(run, make_step(run))
    return path


def tomorrow(tmp_path: Path, *statements: str) -> Path:
    """Give the steps of a later Loopwright that has one more."""
    folder = tmp_path / "100% migrations"
    shutil.copytree(MIGRATIONS, folder)
    lines = "\n".join(f"    op.execute({statement!r})" for statement in statements)
    head = f'from alembic import op\nrevision, down_revision = "9999", "{NEWEST}"\n'
    (folder / "versions" / "9999_more.py").write_text(f"{head}def upgrade():\n{lines}\n")
    return folder


def upgrade(path: Path, migrations: Path) -> None:
    database = sqlite_database(path)
    try:
        migrate(database, path, migrations)
    finally:
        database.close()


def test_an_older_store_is_copied_aside_and_migrated(path: Path, tmp_path: Path) -> None:
    """The store gets the new version with its runs kept, and what it was lies beside it."""
    migrations = tomorrow(tmp_path, "CREATE TABLE more (id TEXT)")
    upgrade(path, migrations)
    assert version_of(path) == "9999"
    assert "more" in made_of(path, "table")
    copy = path.with_name(f"store.sqlite.{NEWEST}.backup")
    assert version_of(copy) == NEWEST
    assert "more" not in made_of(copy, "table")
    for file in (path, copy):
        with closing(sqlite3.connect(file)) as connection:
            assert connection.execute("SELECT id FROM runs").fetchall() == [("the-run",)]


def test_a_store_that_an_older_version_writes_to_is_left_alone(path: Path, tmp_path: Path) -> None:
    """A run that is at work is not made to fail by a newer command; once nobody is, the store is brought up to date."""
    migrations = tomorrow(tmp_path, "CREATE TABLE more (id TEXT)")
    with open_store(path, kinds) as store:
        taken = store.take(store.lease("the-run"), f"{myself()} 1")
        assert taken
        with pytest.raises(StoreError, match=f"at work .process {os.getpid()}."):
            upgrade(path, migrations)
        assert version_of(path) == NEWEST
        assert store.renew(taken)
        store.release(taken)
    upgrade(path, migrations)
    assert version_of(path) == "9999"


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Hold a file against writing for a moment, so that those who want to change it have to wait."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        yield
        time.sleep(0.5)
        connection.execute("ROLLBACK")


def test_several_that_upgrade_at_once_take_turns(path: Path, tmp_path: Path) -> None:
    """The first one upgrades; those that waited find it done, and make no copy of what is new already."""
    migrations = tomorrow(tmp_path, "CREATE TABLE more (id TEXT)")
    with ThreadPoolExecutor(4) as pool:
        with held(path):
            waiting = [pool.submit(upgrade, path, migrations) for _ in range(4)]
        for done in waiting:
            done.result()
    assert [file.name for file in tmp_path.glob("*.backup")] == [f"store.sqlite.{NEWEST}.backup"]


def test_a_file_that_others_make_is_waited_for(tmp_path: Path) -> None:
    """A new file that another process is about to fill is no reason to give up."""
    path = tmp_path / "new.sqlite"
    with ThreadPoolExecutor(1) as pool:
        with held(path):
            waiting = pool.submit(upgrade, path, MIGRATIONS)
        waiting.result()
    assert version_of(path) == NEWEST


def test_a_store_of_today_is_not_copied(path: Path) -> None:
    """Opening what is up to date makes no backup."""
    open_store(path, kinds).close()
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_a_step_that_fails_changes_nothing(path: Path, tmp_path: Path) -> None:
    """Half a migration is none: the store is as it was and can be opened."""
    migrations = tomorrow(tmp_path, "CREATE TABLE more (id TEXT)", "DROP TABLE nowhere")
    with pytest.raises(StoreError, match="no such table: nowhere"):
        upgrade(path, migrations)
    assert version_of(path) == NEWEST
    assert "more" not in made_of(path, "table")
    with open_store(path, kinds) as store:
        assert [run.id for run in store.runs()] == ["the-run"]


def first_steps(path: Path, folder: Path) -> None:
    """Make a store with the steps of version 0001 alone, as the first Loopwright did."""
    shutil.copytree(MIGRATIONS, folder)
    for file in (folder / "versions").glob("[0-9]*.py"):
        if not file.name.startswith("0001"):
            file.unlink()
    engine = sqlite_engine(path)
    with engine.begin() as connection:
        take_steps(connection, folder)
    engine.dispose()


def test_checks_without_a_proof_are_kept(path: Path, tmp_path: Path) -> None:
    """A store of version 0001 keeps its checks, which have no proof, and takes acceptances and new checks."""
    old = tmp_path / "old.sqlite"
    first_steps(old, tmp_path / "first")
    assert version_of(old) == "0001"
    run, check = make_run(id="old-run"), make_check("old-run", evidence="as it was")
    with open_store(path, kinds) as store:
        store.add_run(run, make_step(run))
        store.add_checks([check])
    with closing(sqlite3.connect(old)) as connection:
        connection.execute("ATTACH ? AS today", (str(path),))
        for table in ("runs", "checks"):
            names = [row[1] for row in connection.execute(f"PRAGMA main.table_info({table})")]
            assert "proof" not in names
            listed = ", ".join(f'"{name}"' for name in names)
            where = "id = 'old-run'" if table == "runs" else "run_id = 'old-run'"
            connection.execute(f"INSERT INTO {table} ({listed}) SELECT {listed} FROM today.{table} WHERE {where}")
        connection.commit()
    with open_store(old, kinds) as store:
        assert version_of(old) == NEWEST
        assert store.checks("old-run") == [check]
        assert store.acceptances("old-run") == []
        proven = make_check("old-run", proof=Proof(judged_tree="d" * 40, tests=Counts(1, 1)))
        store.add_checks([proven])
        store.add_acceptance(Acceptance("a", "old-run", AT, "Ada", "x", {"a": ""}))
        assert store.checks("old-run") == [check, proven]
        assert len(store.acceptances("old-run")) == 1
        for view in VIEWS:
            store.view(view)
    assert version_of(old.with_name("old.sqlite.0001.backup")) == "0001"
