"""kill -9 of a whole batch at random moments, again and again, until all of it is done."""

from __future__ import annotations

import os
import random
import signal
import time

import pytest

from chaos.conftest import LONG, SEED, Row
from chaos.scene import Scene, tasks

TASKS = 3
ROUNDS = 8


@pytest.mark.parametrize("seed", range(SEED, SEED + (20 if LONG else 2)))
def test_killed_at_random(scene: Scene, row: Row, seed: int) -> None:
    """However often it is killed: nothing is lost or doubled, nobody is left, and in the end every run is done."""
    chance = random.Random(seed)
    words = ["batch", *tasks(scene.repo, TASKS), "--agent-command", scene.agent(0.2), "--parallel", "2"]
    slowest = 0.0
    for _ in range(ROUNDS):
        began = time.monotonic()
        process = scene.start(*words)
        try:
            process.wait(chance.uniform(0.3, 3.0))
        except Exception:
            os.kill(process.pid, signal.SIGKILL)
            scene.crashes += 2  # so many runs may have been at work
        _, said = process.communicate()
        assert process.returncode in (0, -9), said
        words = ["resume", "--all", "--parallel", "2"]
        if not scene.query("SELECT id FROM runs"):
            words = ["batch", *tasks(scene.repo, TASKS), "--agent-command", scene.agent(0.2)]
    process = scene.start(*words)
    _, said = process.communicate(timeout=120)
    slowest = max(slowest, time.monotonic() - began)
    assert process.returncode == 0, said
    there = scene.query("SELECT count(*) FROM runs")[0][0]
    scene.assert_whole(runs=there)
    name = f"kill -9 of a batch at random, {'PostgreSQL' if scene.url else 'SQLite'}"
    figures = {"lost": scene.lost(), "doubled": scene.doubled(), "orphans": len(scene.living()), "seconds": slowest}
    row(name, faults=scene.crashes // 2, **figures)
