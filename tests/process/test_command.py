from __future__ import annotations

import hashlib
import threading
from pathlib import Path

from loopwright.process.command import Excerpt, run_command
from loopwright.records.command import CommandResult


def run(script: str, folder: Path, env: dict[str, str], timeout_s: float = 30, keep: int = 200_000) -> CommandResult:
    return run_command(["sh", "-c", script], cwd=folder, env=env, timeout_s=timeout_s, keep=keep)


def test_result(tmp_path: Path, env: dict[str, str]) -> None:
    """A result holds the exit code, both streams in the order they were written, and the hash of them."""
    result = run("for i in 1 2 3; do echo out $i; echo err $i >&2; done; exit 3", tmp_path, env)
    expected = "".join(f"out {i}\nerr {i}\n" for i in (1, 2, 3))
    assert (result.exit_code, result.output) == (3, expected)
    assert result.output_hash == hashlib.sha256(expected.encode()).hexdigest()
    assert not result.timed_out
    assert not result.missing


def test_timeout(tmp_path: Path, env: dict[str, str]) -> None:
    """A command that takes too long has no exit code, and what it said so far is kept."""
    result = run("echo begun; sleep 60", tmp_path, env, timeout_s=0.3)
    assert (result.exit_code, result.timed_out, result.output) == (None, True, "begun\n")
    assert result.duration_s < 3


def test_missing(tmp_path: Path, env: dict[str, str]) -> None:
    """A command whose program is not there is missing and has no exit code."""
    result = run_command(["no-such-program"], cwd=tmp_path, env=env, timeout_s=30)
    assert (result.exit_code, result.missing, result.timed_out) == (None, True, False)


def test_cancelled(tmp_path: Path, env: dict[str, str]) -> None:
    """A cancelled command has no exit code and did not time out."""
    cancel = threading.Event()
    cancel.set()
    result = run_command(["sleep", "60"], cwd=tmp_path, env=env, timeout_s=30, cancel=cancel)
    assert (result.exit_code, result.timed_out, result.missing) == (None, False, False)
    assert result.duration_s < 3


def test_long_output(tmp_path: Path, env: dict[str, str]) -> None:
    """Of a long output the head and the tail are kept, with a line between them that tells what was cut."""
    result = run("echo first; head -c 5000000 /dev/zero | tr '\\0' x; echo; echo last", tmp_path, env, keep=1000)
    head, middle, tail = result.output.split("\n[", 1)[0], "[… 4999012 bytes cut …]", result.output[-6:]
    assert head.startswith("first\nx")
    assert middle in result.output
    assert tail == "\nlast\n"
    assert len(result.output.encode()) < 1100
    assert result.output_hash == hashlib.sha256(b"first\n" + b"x" * 5_000_000 + b"\nlast\n").hexdigest()


def test_not_text(tmp_path: Path, env: dict[str, str]) -> None:
    """What is no text is replaced."""
    assert run("printf 'a\\000\\377b'", tmp_path, env).output == "a\ufffd\ufffdb"


def test_excerpt_is_whole_when_it_fits() -> None:
    """Nothing is cut from what fits, and a character is not broken where head and tail meet."""
    excerpt = Excerpt(keep=7)
    for byte in "aaä".encode() + b"bbb":
        excerpt.add(bytes([byte]))
    assert excerpt.text() == "aaäbbb"


def test_excerpt_of_nothing() -> None:
    """One who keeps nothing is still told how much there was."""
    excerpt = Excerpt(keep=0)
    excerpt.add(b"abc")
    assert excerpt.text() == "\n[… 3 bytes cut …]\n"
