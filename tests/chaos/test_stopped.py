"""SIGSTOP of our process, its run taken over, SIGCONT: every stale write is refused."""

from __future__ import annotations

import os
import random
import signal
import time

import pytest

from chaos.conftest import LONG, SEED, Row
from chaos.scene import Scene, until


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
