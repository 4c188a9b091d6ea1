"""Programs that use too much, through a real shim; each is bounded by itself as well, should the limit not hold."""

from __future__ import annotations

import signal
import uuid
from collections.abc import Callable
from pathlib import Path

import pytest

from loopwright.process.child import Child, End
from loopwright.process.limits import Limits, readable
from loopwright.process.marked import marked

Python = Callable[..., list[str]]
LIMITS = Limits(memory=150_000_000, processes=60, file_size=1_000_000)

# Two to the tenth at the most.
BOMB = """
import os, time
for _ in range(10):
    os.fork()
    time.sleep(0.02)
time.sleep(60)
"""
# Each in a session of its own, so that no group holds two of them.
SETSID_BOMB = BOMB.replace("os.fork()", "os.fork() or os.setsid()")
HOG = "held = []\nfor _ in range(10): held.append(b'x' * 50_000_000); __import__('time').sleep(0.1)"
SHARED_HOG = "import os, time\nfor _ in range(4): os.fork() or (b'x' * 60_000_000, time.sleep(60))\nos.wait()"


def run(argv: list[str], folder: Path, env: dict[str, str], limits: Limits = LIMITS) -> End:
    """Run it to its end, and see by its environment that nothing of it is left."""
    mark = uuid.uuid4().hex
    with Child(argv, cwd=folder, env={**env, "MARK": mark}, limits=limits) as child:
        for _ in child.chunks(wall_s=20):
            pass
    assert marked("MARK", mark) == []
    return child.end


@pytest.mark.parametrize("code", [BOMB, SETSID_BOMB], ids=["one group", "many sessions"])
def test_a_fork_bomb(tmp_path: Path, env: dict[str, str], python: Python, code: str) -> None:
    """A program that forks without end is ended within seconds, and nothing of it is left."""
    end = run(python(code), tmp_path, env)
    assert (end.exit_code, end.cause) == (None, "processes")
    assert end.duration_s < 5


@pytest.mark.parametrize("code", [HOG, SHARED_HOG], ids=["alone", "together"])
def test_too_much_memory(tmp_path: Path, env: dict[str, str], python: Python, code: str) -> None:
    """A program whose descendants together have more memory than they may is ended."""
    end = run(python(code), tmp_path, env)
    assert (end.exit_code, end.cause) == (None, "memory")
    assert end.duration_s < 5


def test_a_big_file(tmp_path: Path, env: dict[str, str]) -> None:
    """No file grows beyond its limit, and a program that dies of that is said to have."""
    end = run(["sh", "-c", "head -c 5000000 /dev/zero > big"], tmp_path, env)
    assert (end.exit_code, end.cause) == (128 + signal.SIGXFSZ, "file_size")
    assert (tmp_path / "big").stat().st_size == LIMITS.file_size


def test_the_same_exit_code_without_a_limit(tmp_path: Path, env: dict[str, str]) -> None:
    """Where no limit is set, an exit code is only that."""
    assert run(["sh", "-c", "exit 153"], tmp_path, env, Limits()).cause == "exit"


def test_within_the_limits(tmp_path: Path, env: dict[str, str]) -> None:
    """A program that keeps to its limits notices nothing of them but that of files."""
    end = run(["sh", "-c", "for i in 1 2 3 4 5 6 7 8; do sleep 1.2 & done; wait; ulimit -f"], tmp_path, env)
    assert (end.exit_code, end.cause) == (0, "exit")


def test_in_words() -> None:
    """Each limit has words for who was over it, with its value; other causes have none."""
    words = [Limits(8_000_000_000, 2000, 1_500_000).words(cause) for cause in ("memory", "processes", "file_size")]
    assert words == [
        "it used more than 8 GB of memory and was ended",
        "it had more than 2,000 processes at a time and was ended",
        "it wrote more than 1.5 MB to a file and was ended",
    ]
    assert Limits().words("wall") == ""


@pytest.mark.parametrize(
    ("size", "text"),
    [(0, "0 bytes"), (999, "999 bytes"), (1000, "1 KB"), (19_283_000_000, "19.3 GB"), (2 * 10**12, "2,000 GB")],
)
def test_sizes_as_a_person_writes_them(size: int, text: str) -> None:
    """A size has three digits that count, and a unit."""
    assert readable(size) == text
