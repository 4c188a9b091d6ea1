"""A flood of output, in all shapes: little memory, little time, no crash, and what was cut is told."""

from __future__ import annotations

import gzip
import re
import time
from pathlib import Path

import pytest

from chaos.conftest import LONG, Row
from chaos.scene import Scene
from world import Repo

SIZE = 10**9 if LONG else 5 * 10**7
MAX_MB, MAX_S = 150, 15
SHAPES = {
    "one line": "head -c {size} /dev/zero | tr '\\0' x",
    "small lines": "yes 'a small line of output, as programs print by the thousand, over and over' | head -c {size}",
    "NUL and bad UTF-8": "yes $(printf 'bad \\377\\376 bytes, and a long line') | tr ' ' '\\0' | head -c {size}",
    "JSON that is known": 'yes \'{{"type": "assistant", "message": {{"content": []}}}}\' | head -c {size}',
    "cut JSON": 'yes \'{{"type": "assistant", "message": {{"content": [\' | head -c {size}',
}


@pytest.mark.parametrize("shape", SHAPES)
def test_a_flood(repo: Repo, tmp_path: Path, row: Row, shape: str) -> None:
    """1 GB of it (a part of that in the short set) goes through; the work is judged, the raw bytes are kept."""
    script = tmp_path / "agent.sh"
    script.write_text(f"{SHAPES[shape].format(size=SIZE)}\necho; echo 42 > answer\n")
    scene = Scene(repo, tmp_path)
    process = scene.start("run", "Fix it", "--test", "sh test.sh", "--agent-command", f"sh {script}")
    began, peak = time.monotonic(), 0
    while process.poll() is None:
        status = Path(f"/proc/{process.pid}/status").read_text()
        peak = max(peak, *(int(kb) for kb in re.findall(r"VmHWM:\s+(\d+)", status)), 0)
        time.sleep(0.05)
    seconds = time.monotonic() - began
    _, said = process.communicate()
    assert process.returncode == 0, said
    raw = sum(_unpacked(file) for file in (repo.root / ".loopwright/runs").rglob("*.stdout.gz"))
    assert raw >= SIZE or raw >= 10**9
    left_out = scene.query("SELECT data FROM events WHERE text LIKE 'left out of the events%'")
    assert left_out, "what was cut is not told"
    row(f"{SIZE / 1e9:g} GB of {shape}, at most {peak / 1000:.0f} MB", faults=1, seconds=seconds)
    assert peak / 1000 < MAX_MB
    assert seconds < 2 * MAX_S  # the table has the figure; others may be at work on this machine


def _unpacked(file: Path) -> int:
    with gzip.open(file) as stream:
        return sum(len(block) for block in iter(lambda: stream.read(1 << 20), b""))
