"""SIGSTOP of our process, its run taken over, SIGCONT: every stale write is refused."""

from __future__ import annotations

import os
import random
import signal
import time
from pathlib import Path

import pytest

from chaos.conftest import LONG, SEED, Row
from chaos.scene import Scene, until
from world import Repo


@pytest.mark.parametrize("seed", range(SEED, SEED + (6 if LONG else 1)))
def test_stopped_and_taken_over(scene: Scene, row: Row, seed: int) -> None:
    """Stopped at a random moment of its work; the other one ends the run; the first wakes up and changes nothing."""
    chance = random.Random(seed)
    process = scene.start("run", "Fix it", "--test", "sh test.sh", "--agent-command", scene.agent(0.5))
    until(lambda: scene.query("SELECT id FROM attempts"))
    time.sleep(chance.uniform(0, 1.2))
    while True:
        os.kill(process.pid, signal.SIGSTOP)
        if not scene.is_locked():  # in SQLite, one that was stopped within a write keeps all others out
            break
        os.kill(process.pid, signal.SIGCONT)
        time.sleep(0.01)
    over = scene.query("SELECT status FROM runs") == [("done",)]
    began = time.monotonic()
    try:
        second = scene.drive("resume")
        seconds = time.monotonic() - began
        assert second.returncode == (2 if over else 0), second.stderr
        scene.crashes = 1
        before = [
            scene.query(f"SELECT * FROM {table} ORDER BY 1, 2") for table in ("runs", "attempts", "events", "checks")
        ]
    finally:
        os.kill(process.pid, signal.SIGCONT)
    _, said = process.communicate(timeout=60)
    after = [scene.query(f"SELECT * FROM {table} ORDER BY 1, 2") for table in ("runs", "attempts", "events", "checks")]
    assert process.returncode == (0 if over else 1), said
    assert before == after, "a stale write was not refused"
    scene.assert_whole()
    name = f"SIGSTOP, takeover, SIGCONT, {'PostgreSQL' if scene.url else 'SQLite'}"
    figures = {"lost": scene.lost(), "doubled": scene.doubled(), "orphans": len(scene.living()), "seconds": seconds}
    row(name, faults=1, **figures)


@pytest.mark.skipif(not LONG, reason="the server waits for 20 s before it ends a transaction")
@pytest.mark.parametrize("seed", range(SEED, SEED + 3))
def test_stopped_within_a_write(repo: Repo, tmp_path: Path, postgres_url: str, row: Row, seed: int) -> None:
    """The server ends the transaction of one that was stopped, so another takes the run over; nothing comes twice."""
    scene = Scene(repo, tmp_path, postgres_url)
    process = scene.start("run", "Fix it", "--test", "sh test.sh", "--agent-command", scene.agent(0.5))
    until(lambda: scene.query("SELECT id FROM attempts"))
    time.sleep(random.Random(seed).uniform(0, 0.5))
    for _ in range(3000):
        os.kill(process.pid, signal.SIGSTOP)
        if scene.query(
            "SELECT 1 FROM pg_stat_activity WHERE state = 'idle in transaction' AND backend_xid IS NOT NULL"
        ):
            break
        os.kill(process.pid, signal.SIGCONT)
        time.sleep(0.001)
    else:
        pytest.skip("it was never stopped within a write")
    began = time.monotonic()
    try:
        second = scene.drive("resume")
        seconds = time.monotonic() - began
        assert second.returncode == 0, second.stderr
    finally:
        os.kill(process.pid, signal.SIGCONT)
    process.communicate(timeout=60)
    scene.crashes = 1
    scene.assert_whole()
    row("SIGSTOP within a write, PostgreSQL", faults=1, seconds=seconds)
