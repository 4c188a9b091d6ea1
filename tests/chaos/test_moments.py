"""kill -9 before and after every write that a run makes."""

from __future__ import annotations

import time

import pytest

from chaos.conftest import LONG, SEED, Row
from chaos.scene import Scene, moments

WRITES = 24
"""More than a run of two attempts makes."""


@pytest.mark.parametrize(("at", "side"), moments(WRITES, SEED, 1000 if LONG else 4))
def test_killed_at_a_write(scene: Scene, row: Row, at: int, side: str) -> None:
    """Nothing that was acknowledged is lost, nothing is doubled, and the run ends after it was taken up."""
    first = scene.drive("run", scene.agent(), at=at, side=side)
    died = first.returncode == -9
    assert died or (first.returncode == 0 and int(first.stdout.split()[1]) < at), first.stderr
    scene.crashes = int(died)
    if not scene.query("SELECT id FROM runs"):
        assert (at, side) == (1, "before")  # nothing had been said yet
        return
    began = time.monotonic()
    if scene.query("SELECT status FROM runs") != [("done",)]:
        second = scene.drive("resume")
        assert second.returncode == 0, second.stderr
    seconds = time.monotonic() - began
    scene.assert_whole()
    name = f"kill -9 {side} a write, {'PostgreSQL' if scene.url else 'SQLite'}"
    row(
        name, faults=int(died), lost=scene.lost(), doubled=scene.doubled(), orphans=len(scene.living()), seconds=seconds
    )
