"""The database is gone for some seconds, at the start or in the middle: nothing is lost, and the runs go on."""

from __future__ import annotations

import random
import sqlite3
import time
from contextlib import closing

import pytest

from chaos.conftest import LONG, SEED, Row
from chaos.scene import Scene, tasks, until
from postgres import Server, name_of
from proxy import Proxy
from world import Repo

RUNS = 2


def begin(scene: Scene) -> list[object]:
    return ["batch", *tasks(scene.repo, RUNS), "--agent-command", scene.agent(1.0), "--parallel", RUNS]


def note(row: Row, scene: Scene, fault: str, seconds: float) -> None:
    scene.assert_whole(runs=RUNS)
    row(fault, faults=1, lost=scene.lost(), doubled=scene.doubled(), orphans=len(scene.living()), seconds=seconds)


@pytest.mark.parametrize("seed", range(SEED, SEED + (5 if LONG else 1)))
def test_a_server_that_is_gone(
    repo: Repo, tmp_path_factory: pytest.TempPathFactory, postgres: Server, postgres_url: str, row: Row, seed: int
) -> None:
    """Cut off at a random moment, for seconds; the run waits, says so, and ends as if nothing had happened."""
    chance = random.Random(seed)
    gone_s = chance.uniform(2, 30) if LONG else 2.0
    scene = Scene(repo, tmp_path_factory.mktemp("scene"), postgres_url)
    with Proxy(postgres.socket) as proxy:
        scene.url = f"postgresql://postgres@127.0.0.1:{proxy.port}/{name_of(postgres_url)}"
        process = scene.start(*begin(scene))
        time.sleep(chance.uniform(0.3, 2.0))
        proxy.refuse()
        time.sleep(gone_s)
        proxy.listen()
        back = time.monotonic()
        _, said = process.communicate(timeout=60)
        assert process.returncode == 0, said
        note(row, scene, "PostgreSQL gone for 2 to 30 s", time.monotonic() - back)
    assert "waiting until it can" in said and "going on" in said


def test_a_server_that_is_gone_at_the_start(repo: Repo, postgres: Server, postgres_url: str, row: Row) -> None:
    """A run that is started while nobody answers waits, and begins."""
    with Proxy(postgres.socket) as proxy:
        scene = Scene(repo, repo.root.parent, f"postgresql://postgres@127.0.0.1:{proxy.port}/{name_of(postgres_url)}")
        proxy.refuse()
        process = scene.start(*begin(scene))
        time.sleep(2.0)
        proxy.listen()
        back = time.monotonic()
        _, said = process.communicate(timeout=60)
        assert process.returncode == 0, said
        note(row, scene, "PostgreSQL gone at the start", time.monotonic() - back)


def test_a_server_that_throws_everybody_out(repo: Repo, postgres: Server, postgres_url: str, row: Row) -> None:
    """Every connection is ended by the server, several times, as when it is shut down and started again."""
    scene = Scene(repo, repo.root.parent, postgres_url)
    process = scene.start(*begin(scene))
    thrown = 0
    while process.poll() is None:
        ended = postgres.sql(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            f"WHERE datname = '{name_of(postgres_url)}' AND pid <> pg_backend_pid()"
        )
        thrown += len(ended)
        time.sleep(0.15)
    _, said = process.communicate()
    assert process.returncode == 0, said
    assert thrown > 2
    note(row, scene, "PostgreSQL ends all connections", 0.0)


def test_a_file_that_somebody_locks(repo: Repo, row: Row) -> None:
    """Another program has the SQLite file for itself for a while."""
    scene = Scene(repo, repo.root.parent)
    process = scene.start(*begin(scene))
    until(lambda: scene.query("SELECT id FROM attempts"))
    with closing(sqlite3.connect(repo.root / ".loopwright/store.sqlite", isolation_level=None)) as connection:
        connection.execute("PRAGMA busy_timeout = 10000")
        connection.execute("BEGIN IMMEDIATE")
        time.sleep(20.0 if LONG else 2.0)
        connection.execute("COMMIT")
    back = time.monotonic()
    _, said = process.communicate(timeout=60)
    assert process.returncode == 0, said
    note(row, scene, "SQLite locked by somebody else", time.monotonic() - back)
