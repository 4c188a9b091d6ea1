from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from loopwright.process.tool import call


def test_what_it_gives(tmp_path: Path, env: dict[str, str]) -> None:
    """It reads what it is given, runs where it is told, and its exit code and both streams come back."""
    done = call(["sh", "-c", "cat; pwd >&2; exit 3"], environment=env, limit_s=10, stdin=b"in", folder=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (3, b"in", f"{tmp_path}\n".encode())


def test_a_missing_program(env: dict[str, str]) -> None:
    """A program that is not there is said to be so."""
    with pytest.raises(FileNotFoundError):
        call(["no-such-program"], environment=env, limit_s=10)


@pytest.mark.parametrize(("trap", "least"), [("exit 1", 0.0), ("", 2.0)], ids=["polite", "stubborn"])
def test_too_long(tmp_path: Path, env: dict[str, str], gone: Callable[[int], bool], trap: str, least: float) -> None:
    """One that takes too long is asked to end and then killed, with all of its group."""
    script = f"trap '{trap}' TERM; sleep 60 & echo $$ $! > pids; while :; do sleep 0.05; done"
    began = time.monotonic()
    with pytest.raises(TimeoutError, match="took longer"):
        call(["sh", "-c", script], environment=env, limit_s=0.3, folder=tmp_path)
    assert least <= time.monotonic() - began < least + 2
    assert all(gone(int(pid)) for pid in (tmp_path / "pids").read_text().split())


def test_an_interrupt(tmp_path: Path, env: dict[str, str], gone: Callable[[int], bool]) -> None:
    """An exception here ends it there."""
    script = "echo $$ > pid; exec sleep 60"
    timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        call(["sh", "-c", script], environment=env, limit_s=30, folder=tmp_path)
    timer.join()
    assert gone(int((tmp_path / "pid").read_text()))
