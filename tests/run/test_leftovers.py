"""Only runs that left something are looked at."""

from __future__ import annotations

from pathlib import Path

from loopwright.records.run import Status
from loopwright.records.trace import Trace
from loopwright.run.leftovers import with_leftovers


def test_runs_that_left_something(tmp_path: Path) -> None:
    """A run counts that seems to be at work, has a clone, or has raw streams and ended long enough ago."""
    for name in ("clone", "old/raw", "new/raw", "emptied/raw"):
        (tmp_path / name).mkdir(parents=True)
    for name in ("old", "new"):
        (tmp_path / name / "raw" / "001.stdout.gz").touch()
    none = str(tmp_path / "none")
    traces = [
        Trace("at work", Status.RUNNING, none, none, None),
        Trace("clone", Status.DONE, str(tmp_path / "clone"), none, "2026-03"),
        Trace("old", Status.DONE, none, str(tmp_path / "old"), "2026-01"),
        Trace("new", Status.DONE, none, str(tmp_path / "new"), "2026-03"),
        Trace("emptied", Status.DONE, none, str(tmp_path / "emptied"), "2026-01"),
        Trace("nothing", Status.DONE, none, none, "2026-01"),
    ]
    assert with_leftovers(traces, "2026-02") == ["at work", "clone", "old"]
