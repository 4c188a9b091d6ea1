"""What gc looks at, and what it takes."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

from loopwright.records.run import Status
from loopwright.records.trace import Trace
from loopwright.registry import kinds
from loopwright.run.collecting import Collector, Freed, has_leftovers
from loopwright.run.git import Repository
from loopwright.run.holder import Holder
from loopwright.store import open_store
from world import Repo


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
    assert [trace.run_id for trace in traces if has_leftovers(trace, "2026-02")] == ["at work", "clone", "old"]


def test_what_checks_left(repo: Repo, tmp_path: Path) -> None:
    """Environments and looks at bases go when they are old enough, benches when nobody can be at one; new ones stay."""
    home, cache, now = tmp_path / "home", tmp_path / "cache", time.time()
    for name, age_s in (("new", 0.0), ("old", 7_200.0), ("ancient", 172_800.0)):
        ready, baseline = cache / "setups" / "key" / name / "ready", home / "baselines" / f"{name}.json"
        bench = cache / "benches" / name
        for folder in (ready.parent, baseline.parent, bench):
            folder.mkdir(parents=True, exist_ok=True)
        for file in (ready, baseline, bench / "file"):
            file.write_text("12345")
        for path in (ready, baseline, bench):
            os.utime(path, (now - age_s, now - age_s))
    with open_store(tmp_path / "store", kinds) as store:
        holder = Holder(store, Repository.find(repo.root), (), threading.Event())
        assert Collector(holder, home, cache, now - 3_600, dry_run=True).collect([]) == Freed(size=25)
        assert Collector(holder, home, cache, now - 3_600, dry_run=False).collect([]) == Freed(size=25)
    assert [path.name for path in (cache / "setups" / "key").iterdir()] == ["new"]
    assert [path.name for path in (home / "baselines").iterdir()] == ["new.json"]
    assert sorted(path.name for path in (cache / "benches").iterdir()) == ["new", "old"]
