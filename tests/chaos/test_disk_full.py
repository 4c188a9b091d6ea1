"""A disk without room: the run waits with a clear message, the store stays sound, and it goes on by itself."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from chaos.conftest import Row

SCRIPT = Path(__file__).with_name("full_disk.py")


@pytest.mark.parametrize("moment", ["start", "work"])
def test_no_room(tmp_path: Path, row: Row, moment: str) -> None:
    """Full before it begins, or while the agent works: nothing of the work or of the record is lost."""
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(["unshare", "-rm", "true"], capture_output=True).returncode:
        pytest.skip("no namespaces here: a small disk can't be mounted")
    argv = ["unshare", "-rm", sys.executable, str(SCRIPT), moment, str(disk)]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    waited, code, seconds, integrity, status, messages, said = json.loads(done.stdout)
    assert waited, "it ended instead of waiting"
    assert (code, integrity, status, messages) == (0, "ok", "done", 2008), said
    assert "MB left" in said or "full" in said
    row("disk full", faults=1, lost=2008 - messages, doubled=0, orphans=0, seconds=seconds)
