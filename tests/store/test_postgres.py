"""A store in PostgreSQL is made, opened, brought up to date, and left alone when it is not ours."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import exc, insert

from loopwright.errors import StoreError
from loopwright.store import open_store, runs, schema
from loopwright.store.database import Database
from loopwright.store.migrating import MIGRATIONS, migrate_server
from loopwright.store.patience import Patience
from loopwright.store.postgres import diagnose, postgres_database
from loopwright.store.schema import metadata
from loopwright.store.steps import known_versions, take_steps
from postgres import EMPTY, Server, name_of

from .samples import kinds, make_run, make_step

COLUMNS = """SELECT table_name, column_name, is_nullable, data_type FROM information_schema.columns
WHERE table_schema = 'public' ORDER BY 1, 2"""
INDEXES = "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1"


@pytest.fixture
def empty(postgres: Server) -> Iterator[str]:
    with postgres.database(EMPTY) as url:
        yield url


def version_of(server: Server, url: str) -> str:
    return str(server.sql("SELECT version_num FROM alembic_version", name_of(url))[0][0])


def test_the_steps_make_what_the_schema_says(postgres: Server, empty: str, postgres_url: str) -> None:
    """Tables, columns, types, keys and indexes after all steps are exactly those that the code knows."""
    with closing(postgres_database(empty)) as database, database.write() as connection:
        metadata.create_all(connection)
    ours, theirs = name_of(empty), name_of(postgres_url)
    made = [row for row in postgres.sql(COLUMNS, theirs) if row[0] in metadata.tables]
    assert made == postgres.sql(COLUMNS, ours)
    indexes = {name: text.partition(" WHERE ")[0] for name, text in postgres.sql(INDEXES, theirs)}
    assert indexes.pop("alembic_version_pkc")
    assert indexes == dict(postgres.sql(INDEXES, ours))


def test_either_name_of_the_scheme_will_do(postgres_url: str) -> None:
    """A store can be named as PostgreSQL's own tools name it."""
    run = make_run()
    for number, name in enumerate((postgres_url, postgres_url.replace("postgresql:", "postgres:"))):
        with open_store(name, kinds) as store:
            assert len(store.runs()) == number
            if not number:
                store.add_run(run, make_step(run))


def test_a_newer_store_is_refused_untouched(postgres: Server, postgres_url: str) -> None:
    """A store from a later version is not opened, and says which version it has."""
    postgres.sql("UPDATE alembic_version SET version_num = '9999'", name_of(postgres_url))
    with pytest.raises(StoreError, match="`9999`, this Loopwright knows up to") as caught:
        open_store(postgres_url, kinds)
    assert "upgrade Loopwright" in caught.value.hint
    assert version_of(postgres, postgres_url) == "9999"


def test_somebody_elses_database_is_refused_untouched(postgres: Server, empty: str) -> None:
    """A database of another program does not get our tables."""
    postgres.sql("CREATE TABLE photos (id TEXT)", name_of(empty))
    with pytest.raises(StoreError, match="not a store of Loopwright"):
        open_store(empty, kinds)
    assert postgres.sql("SELECT tablename FROM pg_tables WHERE schemaname = 'public'", name_of(empty)) == [("photos",)]


def tomorrow(tmp_path: Path, *statements: str) -> Path:
    """Give the steps of a later Loopwright that has one more."""
    folder = tmp_path / "migrations"
    shutil.copytree(MIGRATIONS, folder)
    newest = max(file.name for file in (folder / "versions").glob("0*.py")).partition("_")[0]
    lines = "\n".join(f"    op.execute({statement!r})" for statement in statements)
    head = f'from alembic import op\nrevision, down_revision = "9999", "{newest}"\n'
    (folder / "versions" / "9999_more.py").write_text(f"{head}def upgrade():\n{lines}\n")
    return folder


def test_an_older_store_is_migrated_after_a_backup(postgres: Server, postgres_url: str, tmp_path: Path) -> None:
    """The backup is asked for with the old version, before anything is changed."""
    old, seen = version_of(postgres, postgres_url), []
    steps = tomorrow(tmp_path, "CREATE TABLE more (id TEXT)")

    def back_up(version: str) -> None:
        seen.append((version, version_of(postgres, postgres_url)))

    with closing(postgres_database(postgres_url)) as database:
        migrate_server(database, back_up, steps)
        migrate_server(database, back_up, steps)
    assert seen == [(old, old)]
    assert version_of(postgres, postgres_url) == "9999"


def test_a_step_that_fails_leaves_the_store_as_it_was(postgres: Server, postgres_url: str, tmp_path: Path) -> None:
    """All steps are one transaction: what one of them did before it failed is undone."""
    old = version_of(postgres, postgres_url)
    steps = tomorrow(tmp_path, "CREATE TABLE more (id TEXT)", "SELECT * FROM nowhere")
    with closing(postgres_database(postgres_url)) as database, pytest.raises(StoreError, match="nowhere"):
        migrate_server(database, None, steps)
    assert version_of(postgres, postgres_url) == old
    with open_store(postgres_url, kinds) as store:
        assert store.runs() == []
    assert postgres.sql("SELECT 1 FROM pg_tables WHERE tablename = 'more'", name_of(postgres_url)) == []


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("postgresql://guarded:hunter2@/postgres?host={folder}", "password authentication failed"),
        ("postgresql://postgres:hunter2@/nowhere?host={folder}", 'database "nowhere" does not exist'),
        ("postgresql://nobody:hunter2@/postgres?host={folder}", 'role "nobody" does not exist'),
        ("postgresql://me:hunter2@no.such.host.invalid/db", "no.such.host.invalid"),
        ("postgresql://me:hunter2@host:port/db", "URL can't be read"),
        ("postgresql://me:hunter2@/db?no_such_option=1", "no_such_option"),
        ("postgresql://me@/db?no_such_option=hunter2", "no_such_option"),
        ("postgresql://me:p@hunter2@host/db", "more than one `@`"),
        ("postgresql://me:p@hunter2?x@host/db", "more than one `@`"),
    ],
)
def test_what_does_not_pass_is_said_at_once(postgres: Server, url: str, told: str) -> None:
    """A wrong password, name, host or URL is not waited for, and the password is not repeated."""
    waits: list[str] = []
    began = time.monotonic()
    with pytest.raises(StoreError, match=told) as caught:
        open_store(url.format(folder=postgres.folder), kinds, Patience(waiting=waits.append))
    assert time.monotonic() - began < 10
    assert waits == []
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize(
    ("code", "trouble"), [("53100", "full"), ("57P03", "gone"), ("40P01", "gone"), ("08006", "gone"), ("42501", None)]
)
def test_the_servers_codes_say_what_passes(postgres_url: str, code: str, trouble: str | None) -> None:
    """A full disk, a server that starts or stops and a deadlock pass; a missing right does not."""
    raising = f"DO $$ BEGIN RAISE EXCEPTION 'so it is' USING ERRCODE = '{code}'; END $$"
    with closing(postgres_database(postgres_url)) as database, pytest.raises(StoreError, match="so it is") as caught:
        _write(database, raising)
    assert isinstance(caught.value.__cause__, exc.DBAPIError)
    assert diagnose(caught.value.__cause__) == trouble


def _write(database: Database, statement: str) -> None:
    with database.write() as connection:
        connection.exec_driver_sql(statement)


def test_a_missing_driver_is_named_with_the_command_that_brings_it() -> None:
    """Without psycopg a store in PostgreSQL is refused, and the hint says what to install."""
    code = "import sys; sys.modules['psycopg'] = None; from loopwright.store import open_store\n"
    code += "try: open_store('postgresql://me:hunter2@host/db', None)\nexcept Exception as error: print(error)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "needs the package `psycopg`" in done.stdout
    assert 'hint: pip install "psycopg[binary]"' in done.stdout
    assert "hunter2" not in done.stdout


def test_opening_an_older_store_copies_it_first(postgres: Server, empty: str, tmp_path: Path) -> None:
    """A store of version 0002 with a run in it is one of today afterwards; the copy has what there was before."""
    run = make_run()
    with closing(postgres_database(empty)) as database, database.write() as connection:
        take_steps(connection, version="0002")
        then = {name: value for name, value in runs.row_of(run).items() if name not in ("source", "prompt_version")}
        connection.execute(insert(schema.runs).values(then))
    open_store(empty, kinds, backups=tmp_path).close()
    assert version_of(postgres, empty) == max(known_versions())
    assert postgres.sql("SELECT run_id, token FROM leases", name_of(empty)) == [(run.id, 0)]
    (copy,) = tmp_path.glob("*.0002.backup")
    with closing(sqlite3.connect(copy)) as connection:
        assert connection.execute("SELECT id FROM runs").fetchall() == [(run.id,)]
        assert connection.execute("SELECT version_num FROM alembic_version").fetchall() == [("0002",)]
