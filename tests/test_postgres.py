"""The tests' own PostgreSQL leaves nothing behind."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from postgres import Server
from world import wait_for

STARTS = "import postgres, sys; print(postgres.start_server().folder, flush=True); sys.stdin.read()"


def test_the_server_is_gone_when_its_user_was_killed(postgres: Server) -> None:
    """However a session ends, its server ends with it and its folder is removed."""
    child = subprocess.Popen(
        [sys.executable, "-c", STARTS], cwd=Path(__file__).parent, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with child:
        assert child.stdout is not None
        folder = Path(child.stdout.readline().decode().strip())
        assert Server(folder).sql("SELECT 1") == [(1,)]
        server = int((folder / "data" / "postmaster.pid").read_text().split()[0])
        child.kill()
    wait_for(lambda: not folder.exists() and not Path(f"/proc/{server}").exists())
