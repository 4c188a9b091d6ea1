"""A run is taken from a process that is alive and silent, and that process finds itself refused when it wakes up."""

from __future__ import annotations

import dataclasses
import os
import signal
from contextlib import closing
from pathlib import Path

from loopwright.records.run import Status
from loopwright.wire import open_project
from world import Repo, agent, start, wait_for

SLOW = (
    'if [ "$LOOPWRIGHT_ITERATION" = 1 ]; then',
    "  echo half > notes; echo $$ > {trace}.new; mv {trace}.new {trace}; sleep 60",
    "fi",
    "echo 42 > answer",
)


def test_a_stopped_process(repo: Repo, tmp_path: Path) -> None:
    """Its agent is ended, the run goes on to its end from what the agent left, and nothing it writes later counts."""
    trace = tmp_path / "trace"
    slow = agent(*(line.format(trace=trace) for line in SLOW))
    process = start("run", "Fix it", "--test", "sh test.sh", *slow, cwd=repo.root)
    worker = int(wait_for(lambda: trace.exists() and trace.read_text()))
    os.kill(process.pid, signal.SIGSTOP)
    try:
        with closing(open_project(repo.root)) as project:
            cycle = dataclasses.replace(project.cycle(), silence_s=1.5)
            result = cycle.resume(project.store.find("last"))
        assert (result.status, result.iterations) == (Status.DONE, 2)
        assert not Path(f"/proc/{worker}").exists()
        assert repo.show(result.branch, "notes") == "half"
        before = _rows(repo)
    finally:
        os.kill(process.pid, signal.SIGCONT)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 1, err
    assert "was taken over" in err and "Traceback" not in err
    assert _rows(repo) == before
    workspace = Path(repo.query("SELECT workspace FROM runs")[0][0])
    assert workspace.name.endswith(".2")
    assert list(workspace.parent.iterdir()) == [workspace]


def _rows(repo: Repo) -> list[object]:
    tables = ("runs", "attempts", "events", "checks", "rollups")
    return [repo.query(f"SELECT * FROM {table}") for table in tables]
