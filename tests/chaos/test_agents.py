"""Agents that do not want to end: each is ended within its limit and ten seconds, and nothing of it is left."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from chaos.conftest import Row
from chaos.scene import Scene
from world import Repo

RESULT = json.dumps({"type": "result", "subtype": "success", "is_error": False, "result": "ok"})
DAEMON = "setsid sh -c 'trap \"\" TERM HUP; sleep 300' < /dev/null > /dev/null 2>&1 &"
LIMIT_S = 1.0

AGENTS = {
    "silent": ("sleep 300", "idle"),
    "ignores SIGTERM": ("trap '' TERM; while true; do sleep 0.2; done", "idle"),
    "starts daemons and leaves": (f"{DAEMON} {DAEMON} echo 42 > answer", "finished"),
    "starts daemons and stays": (f"{DAEMON} {DAEMON} sleep 300", "idle"),
    "alive after its result": (f"echo 42 > answer; echo '{RESULT}'; trap '' TERM; sleep 300", "finished"),
    "kills who keeps it": (f"{DAEMON} echo 42 > answer; kill -9 $PPID; sleep 300", "error"),
}


@pytest.mark.parametrize("name", AGENTS)
def test_it_ends(repo: Repo, tmp_path: Path, row: Row, name: str) -> None:
    """By the word of /proc: nobody is left who carries our mark."""
    command, ending = AGENTS[name]
    script = tmp_path / "agent.sh"
    script.write_text(f"{command}\n")
    repo.write("loopwright.toml", f'[limits]\nafter_result = "{LIMIT_S}s"\n')
    scene = Scene(repo, tmp_path)
    began = time.monotonic()
    flags = ("--test", "sh test.sh", "--max-iterations", 1, "--idle-timeout", f"{LIMIT_S}s")
    process = scene.start("run", "Fix it", *flags, "--agent-command", f"sh {script}")
    _, said = process.communicate(timeout=60)
    seconds = time.monotonic() - began
    assert process.returncode in (0, 5), said
    assert [row[0] for row in scene.query("SELECT ending FROM attempts")] == [ending]
    assert scene.living() == []
    assert seconds < LIMIT_S + 10
    row(f"agent: {name}", faults=1, orphans=len(scene.living()), seconds=seconds)
