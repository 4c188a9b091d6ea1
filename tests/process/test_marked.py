from __future__ import annotations

import os
import subprocess
import sys
import uuid

from loopwright.process.marked import end_marked, marked

FORKS = """
import os, time
for _ in range(3):
    if os.fork() == 0:
        os.setsid()
        os.write(1, b".")
        time.sleep(60)
os.write(1, b".")
time.sleep(60)
"""


def test_who_carries_a_mark_is_ended() -> None:
    """All with that very variable are found and killed, in whatever session they are; nobody else is."""
    mark = uuid.uuid4().hex
    with (
        subprocess.Popen([sys.executable, "-c", FORKS], env={"MARK": mark}, stdout=subprocess.PIPE) as wanted,
        subprocess.Popen(["sleep", "60"], env={**os.environ, "MARK": mark + "1", "UNMARK": mark}) as other,
    ):
        assert wanted.stdout is not None
        assert len(wanted.stdout.read(4)) == 4
        assert wanted.pid in (found := marked("MARK", mark))
        assert len(found) == 4
        end_marked("MARK", mark)
        assert marked("MARK", mark) == []
        assert other.poll() is None
        other.kill()
