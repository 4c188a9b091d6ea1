"""A lock that outlives who took it, for as long as something is alive that it started."""

from __future__ import annotations

import fcntl
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from loopwright.process.child import Child
from loopwright.process.inherited import inherited
from loopwright.process.tool import call

STARTS = """
    import fcntl, os, sys
    from pathlib import Path
    from loopwright.process.child import Child
    from loopwright.process.inherited import inherited
    from loopwright.process.tool import call
    with open("lock", "a") as lock, inherited(lock):
        fcntl.flock(lock, fcntl.LOCK_EX)
        if sys.argv[1] == "tool":
            call(["sh", "-c", "echo $$ > pid; exec sleep 1"], environment=os.environ, limit_s=60)
        ignore = "trap '' TERM; echo $$; while :; do sleep 0.05; done"
        with Child(["sh", "-c", ignore], cwd=Path.cwd(), env=dict(os.environ), grace_s=1.0) as child:
            for _, chunk in child.chunks():
                if chunk:
                    Path("pid").write_bytes(chunk)
"""


def is_free(path: Path) -> bool:
    with path.open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True


def waited(there: Callable[[], object]) -> bool:
    deadline = time.monotonic() + 10
    while not there() and time.monotonic() < deadline:
        time.sleep(0.01)
    return bool(there())


@pytest.mark.parametrize("kind", ["child", "tool"])
def test_the_lock_stays_taken(tmp_path: Path, kind: str, gone: Callable[[int], bool]) -> None:
    """When we are killed, a lock stays taken until the last of what we started has ended."""
    pid, lock = tmp_path / "pid", tmp_path / "lock"
    argv = [sys.executable, "-c", textwrap.dedent(STARTS), kind]
    with subprocess.Popen(argv, cwd=tmp_path) as ours:
        assert waited(lambda: pid.is_file() and pid.read_text().strip())
        ours.kill()
        ours.wait()
        killed = time.monotonic()
    assert Path("/proc", pid.read_text().strip()).exists()
    assert not is_free(lock)
    assert waited(lambda: is_free(lock))
    assert 0.3 < time.monotonic() - killed < 5
    assert gone(int(pid.read_text()))


def test_the_program_does_not_have_the_file(tmp_path: Path, env: dict[str, str]) -> None:
    """What a shim starts has none of the files; what is started after the block has none either."""
    with (tmp_path / "lock").open("a") as lock, inherited(lock):
        with Child(["sh", "-c", "ls -l /proc/self/fd"], cwd=tmp_path, env=env) as child:
            said = b"".join(chunk for _, chunk in child.chunks())
        assert b"lock" not in said
        assert b"lock" in call(["ls", "-l", "/proc/self/fd"], environment=env, limit_s=10).stdout
    assert b"lock" not in call(["ls", "-l", "/proc/self/fd"], environment=env, limit_s=10).stdout


def test_letting_go(tmp_path: Path, env: dict[str, str]) -> None:
    """An explicit unlock frees the lock although a child is alive that has the file."""
    with (tmp_path / "lock").open("a") as lock, inherited(lock):
        fcntl.flock(lock, fcntl.LOCK_EX)
        with Child(["sleep", "60"], cwd=tmp_path, env=env):
            assert not is_free(tmp_path / "lock")
            fcntl.flock(lock, fcntl.LOCK_UN)
            assert is_free(tmp_path / "lock")
