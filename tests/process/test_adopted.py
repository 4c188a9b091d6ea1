from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

PROGRAM = """
import os, subprocess, sys
from pathlib import Path
from loopwright.process.adopted import adopt
from loopwright.process.child import Child

if sys.argv[1] == "adopts":
    adopt()
own = subprocess.Popen(["sleep", "60"])
with Child(["sleep", "60"], cwd=Path("/"), env=os.environ) as other:
    hides = "env -i setsid sleep 61 & echo $!; sleep 0.3; kill -9 $PPID; sleep 62"
    with Child(["sh", "-c", hides], cwd=Path("/"), env=os.environ) as child:
        said = b"".join(chunk for _, chunk in child.chunks(wall_s=20))
    print(said.decode().strip(), own.poll(), other._popen.poll(), flush=True)
own.kill()
"""


def test_who_kills_its_keeper_and_hides_is_ended() -> None:
    """An orphan without its mark, in a session of its own, is found; our own children and their keepers are not hit."""
    pid, own, other = _run("adopts")
    assert not Path(f"/proc/{pid}").exists()
    assert (own, other) == ("None", "None")


def test_a_program_that_adopts_nobody_keeps_what_it_started() -> None:
    """In somebody else's program we end no child that we did not start."""
    pid, own, other = _run("leaves")
    assert Path(f"/proc/{pid}").exists()
    os.kill(int(pid), 9)
    assert (own, other) == ("None", "None")


def _run(how: str) -> list[str]:
    done = subprocess.run([sys.executable, "-c", PROGRAM, how], capture_output=True, text=True, timeout=30, check=True)
    return done.stdout.split()
