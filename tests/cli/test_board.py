"""The table of a batch, as a person at a terminal sees it."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import time
from pathlib import Path

from world import PROGRAM, Repo, agent

TASK = 'goal = "Fix the answer, part {}"\ncriteria = [{{ test = "sh test.sh" }}]\n'


def test_a_table_at_a_terminal(repo: Repo, tmp_path: Path) -> None:
    """Runs at work and in line are in it, and how many have ended; a line stays for each end."""
    files = [str(repo.write(f"tasks/{number}.toml", TASK.format(number))) for number in range(3)]
    words = agent("echo thinking hard", "sleep 0.7", "echo 42 > answer")
    ours, theirs = pty.openpty()
    environment = {**os.environ, "COLUMNS": "120", "LINES": "30", "TERM": "xterm"}
    with subprocess.Popen(
        [*PROGRAM, "batch", *files, *words], cwd=repo.root, env=environment, stdout=subprocess.DEVNULL, stderr=theirs
    ) as process:
        os.close(theirs)
        seen = _read(ours, process)
    assert process.returncode == 0
    assert "1 at work · 2 in line" in seen
    assert "1 at work · 1 in line · 1 done" in seen
    assert re.search(r"Fix the answer, part 0\s+thinking hard", seen)
    assert "waits for its turn" in seen
    assert seen.count("done (criteria_met)") == 3


def _read(terminal: int, process: subprocess.Popen[bytes]) -> str:
    parts, deadline = [], time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            part = os.read(terminal, 65_536)
        except OSError:  # the other end is closed
            break
        parts.append(part)
    os.close(terminal)
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", b"".join(parts).decode(errors="replace"))
