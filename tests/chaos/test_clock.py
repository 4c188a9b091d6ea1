"""The clock jumps by an hour either way in the middle of a run: durations and leases are right."""

from __future__ import annotations

import pytest

from chaos.conftest import Row
from chaos.scene import Scene


@pytest.mark.parametrize("hours", [1, -1])
def test_the_clock_jumps(scene: Scene, row: Row, monkeypatch: pytest.MonkeyPatch, hours: int) -> None:
    """The run ends as it would, in the time that it took, and nobody has lost it meanwhile."""
    monkeypatch.setenv("CHAOS_JUMP", str(hours * 3600))
    done = scene.drive("run", scene.agent(0.5))
    assert done.returncode == 0, done.stderr
    scene.assert_whole()
    ((seconds, token, started, ended),) = scene.query(
        "SELECT r.duration_s, l.token, r.started_at, r.ended_at FROM runs r JOIN leases l ON l.run_id = r.id"
    )
    assert (started < ended) == (hours > 0), "the clock did not jump in the middle"
    assert 0.5 < seconds < 30
    assert token == 1, "it was taken over"
    assert all(0.4 < lasted < 20 for (lasted,) in scene.query("SELECT duration_s FROM attempts"))
    row("the clock jumps by an hour", faults=1, lost=scene.lost(), doubled=scene.doubled())
