from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

from loopwright.errors import SetupError
from loopwright.process.child import Child, End

Python = Callable[..., list[str]]

IGNORES_TERM = (
    "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('on', flush=True); time.sleep(60)"
)


def read(child: Child, **limits: object) -> tuple[dict[str, bytes], End]:
    streams = {"stdout": b"", "stderr": b""}
    for name, chunk in child.chunks(**limits):  # type: ignore[arg-type]
        streams[name] += chunk
    return streams, child.end


@pytest.mark.parametrize("code", [0, 1, 7, 127, 255])
def test_exit_code(tmp_path: Path, env: dict[str, str], code: int) -> None:
    """An exit code comes through as it is, 127 too, and is not taken for a missing program."""
    with Child(["sh", "-c", f"exit {code}"], cwd=tmp_path, env=env) as child:
        _, end = read(child)
    assert (end.exit_code, end.cause, end.missing) == (code, "exit", False)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV, signal.SIGTERM])
def test_killed_by_signal(tmp_path: Path, env: dict[str, str], number: int) -> None:
    """A program that dies of signal N has the exit code 128 + N."""
    with Child(["sh", "-c", f"kill -{number:d} $$"], cwd=tmp_path, env=env) as child:
        _, end = read(child)
    assert (end.exit_code, end.cause) == (128 + number, "exit")


@pytest.mark.parametrize("program", ["no-such-program", "./no-such-program", "/etc/passwd/no"])
def test_missing_program(tmp_path: Path, env: dict[str, str], program: str) -> None:
    """A program that is not there is called missing and has no exit code."""
    with Child([program], cwd=tmp_path, env=env) as child:
        streams, end = read(child)
    assert (end.exit_code, end.cause, end.missing) == (None, "exit", True)
    assert f"`{program}`".encode() in streams["stderr"]


def test_missing_program_unread(tmp_path: Path, env: dict[str, str], gone: Callable[[int], bool]) -> None:
    """A missing program is also noticed when nobody reads the output."""
    with Child(["no-such-program"], cwd=tmp_path, env=env) as child:
        assert gone(child.pid)
    assert (child.end.missing, child.end.cause) == (True, "exit")


def test_not_executable(tmp_path: Path, env: dict[str, str]) -> None:
    """A file that can't be executed has no exit code, is not missing, and the reason is told."""
    (tmp_path / "plain").write_text("text")
    with Child(["./plain"], cwd=tmp_path, env=env) as child:
        streams, end = read(child)
    assert (end.exit_code, end.missing) == (None, False)
    assert b"Permission denied" in streams["stderr"]


@pytest.mark.parametrize("argv", [[], ["true", "nul\0"], ["true", "x" * 3_000_000]])
def test_impossible_argv(tmp_path: Path, env: dict[str, str], argv: list[str]) -> None:
    """Arguments that no program can be given are refused as a broken set-up."""
    with pytest.raises(SetupError, match="can't start"):
        Child(argv, cwd=tmp_path, env=env)


def test_missing_folder(tmp_path: Path, env: dict[str, str]) -> None:
    """A folder that is not there is a broken set-up, not a missing program."""
    with pytest.raises(SetupError, match="nowhere"):
        Child(["true"], cwd=tmp_path / "nowhere", env=env)


@pytest.mark.parametrize("env", [{}, {"LC_ALL": "de_DE"}, {"LANG": "C", "A": "ü\udcff"}])
def test_environment_is_exact(tmp_path: Path, env: dict[str, str]) -> None:
    """A program gets the environment it was given and no variable more."""
    with Child(["/usr/bin/env", "-0"], cwd=tmp_path, env=env) as child:
        streams, _ = read(child)
    assert dict(line.split("=", 1) for line in os.fsdecode(streams["stdout"]).split("\0")[:-1]) == env


def test_arguments_are_exact(tmp_path: Path, env: dict[str, str]) -> None:
    """Arguments arrive byte by byte, whatever they look like."""
    argv = ["printf", "%s\\0", "--", "-I", "", "a b", "$(id)", "ü\udcff", "\n"]
    with Child(argv, cwd=tmp_path, env=env) as child:
        streams, _ = read(child)
    assert os.fsdecode(streams["stdout"]).split("\0")[:-1] == argv[2:]


def test_surroundings(tmp_path: Path, env: dict[str, str]) -> None:
    """A program has no open files but 0, 1 and 2, no signal blocked and none of those ignored that Python ignores."""
    script = "ls /proc/self/fd; sed -n 's/^SigBlk:\\t//p; s/^SigIgn:\\t//p' /proc/self/status"
    with Child(["sh", "-c", script], cwd=tmp_path, env=env) as child:
        streams, _ = read(child)
    *files, blocked, ignored = streams["stdout"].decode().split()
    assert files == ["0", "1", "2", "3"]  # 3 is the folder that `ls` reads
    assert int(blocked, 16) == 0
    assert int(ignored, 16) & (1 << signal.SIGPIPE - 1 | 1 << signal.SIGXFSZ - 1) == 0


def test_sessions(tmp_path: Path, env: dict[str, str]) -> None:
    """Neither the shim nor the program is in our session, nor in each other's: a Ctrl-C for us reaches none of them."""
    with Child(["sh", "-c", "cut -d' ' -f6 /proc/$$/stat"], cwd=tmp_path, env=env) as child:
        of_shim = os.getsid(child.pid)
        streams, _ = read(child)
    assert len({os.getsid(0), of_shim, int(streams["stdout"])}) == 3


def test_stdin(tmp_path: Path, env: dict[str, str]) -> None:
    """stdin is the file that was given, and empty where there was none."""
    (tmp_path / "prompt").write_bytes(b"do it")
    with Child(["cat"], cwd=tmp_path, env=env, stdin=tmp_path / "prompt") as child:
        assert read(child)[0]["stdout"] == b"do it"
    with Child(["cat"], cwd=tmp_path, env=env) as child:
        assert read(child)[0]["stdout"] == b""


def test_much_output_on_both(tmp_path: Path, env: dict[str, str]) -> None:
    """Output bigger than the buffers of both pipes arrives whole, in chunks of at most 64 KiB."""
    script = "head -c 3000000 /dev/zero & head -c 2000000 /dev/zero >&2; wait"
    sizes = {"stdout": 0, "stderr": 0}
    with Child(["sh", "-c", script], cwd=tmp_path, env=env) as child:
        for name, chunk in child.chunks():
            assert 0 < len(chunk) <= 65_536
            sizes[name] += len(chunk)
    assert sizes == {"stdout": 3_000_000, "stderr": 2_000_000}


def test_wall_limit(tmp_path: Path, env: dict[str, str]) -> None:
    """A program that prints without end is ended at the wall limit."""
    with Child(["yes"], cwd=tmp_path, env=env) as child:
        for _ in child.chunks(wall_s=0.4, idle_s=60):
            pass
    assert (child.end.exit_code, child.end.cause) == (None, "wall")
    assert 0.4 <= child.end.duration_s < 2


def test_idle_limit(tmp_path: Path, env: dict[str, str]) -> None:
    """A silent program is ended at the idle limit, counted from its last output on either pipe."""
    script = "sleep 0.3; echo a; sleep 0.3; echo b >&2; sleep 60"
    with Child(["sh", "-c", script], cwd=tmp_path, env=env) as child:
        streams, end = read(child, wall_s=60, idle_s=0.5)
    assert (streams, end.exit_code, end.cause) == ({"stdout": b"a\n", "stderr": b"b\n"}, None, "idle")
    assert 1.1 <= end.duration_s < 3


def test_slow_reader_is_not_idleness(tmp_path: Path, env: dict[str, str]) -> None:
    """The time a reader takes for a chunk does not count as the program's silence."""
    with Child(["sh", "-c", "echo a; sleep 0.5; echo b"], cwd=tmp_path, env=env) as child:
        for _ in child.chunks(idle_s=0.4):
            time.sleep(0.45)
    assert (child.end.exit_code, child.end.cause) == (0, "exit")


def test_slow_reader_gets_everything(tmp_path: Path, env: dict[str, str], python: Python) -> None:
    """A reader who takes his time still gets all that a program left in the pipe when it ended."""
    code = "import fcntl, os; fcntl.fcntl(1, fcntl.F_SETPIPE_SZ, 1 << 20); os.write(1, bytes(500_000))"
    pauses = [0.3, 0.0, 0.0, 1.2]
    size = 0
    with Child(python(code), cwd=tmp_path, env=env) as child:
        for _, chunk in child.chunks():
            time.sleep(pauses.pop(0) if pauses else 0)
            size += len(chunk)
    assert size == 500_000


def test_cancel(tmp_path: Path, env: dict[str, str]) -> None:
    """A cancel from another thread ends the program within a moment."""
    cancel = threading.Event()
    timer = threading.Timer(0.2, cancel.set)
    timer.start()
    with Child(["sleep", "60"], cwd=tmp_path, env=env) as child:
        _, end = read(child, cancel=cancel)
    timer.join()
    assert (end.exit_code, end.cause) == (None, "cancelled")
    assert end.duration_s < 1.5


def test_request_stop_reads_on(tmp_path: Path, env: dict[str, str]) -> None:
    """After a request to stop, what the program still says in its grace is read."""
    script = "trap 'echo bye; exit 0' TERM; echo on; while :; do sleep 0.05; done"
    said = b""
    with Child(["sh", "-c", script], cwd=tmp_path, env=env) as child:
        for name, chunk in child.chunks():
            said += chunk if name == "stdout" else b""
            child.request_stop()
    assert (said, child.end.exit_code, child.end.cause) == (b"on\nbye\n", None, "stopped")


def test_stop_twice(tmp_path: Path, env: dict[str, str]) -> None:
    """Stopping again changes nothing."""
    with Child(["sleep", "60"], cwd=tmp_path, env=env) as child:
        child.stop()
        end = child.end
        child.stop()
    child.stop()
    assert child.end is end
    assert end.cause == "stopped"


def test_end_before_the_end(tmp_path: Path, env: dict[str, str]) -> None:
    """Nobody is told how a program ended that still runs."""
    with Child(["sleep", "60"], cwd=tmp_path, env=env) as child, pytest.raises(RuntimeError, match="not ended"):
        _ = child.end


def test_exception_leaves_nothing(tmp_path: Path, env: dict[str, str], gone: Callable[[int], bool]) -> None:
    """An exception while reading ends the program."""
    with pytest.raises(ZeroDivisionError), Child(["sh", "-c", "echo $$; sleep 60"], cwd=tmp_path, env=env) as child:
        for _, chunk in child.chunks():
            pid = int(chunk)
            raise ZeroDivisionError
    assert gone(pid)
    assert child.end.cause == "stopped"


def test_ignores_sigterm(tmp_path: Path, env: dict[str, str], python: Python) -> None:
    """A program that ignores SIGTERM is killed after the grace and not before."""
    with Child(python(IGNORES_TERM), cwd=tmp_path, env=env, grace_s=0.5) as child:
        _, end = read(child, wall_s=0.3)
    assert (end.exit_code, end.cause) == (None, "wall")
    assert 0.8 <= end.duration_s < 3


def test_stopped_shim(tmp_path: Path, env: dict[str, str], gone: Callable[[int], bool]) -> None:
    """A program that freezes the shim is ended all the same, with what it put into other sessions."""
    script = "setsid sleep 60 & echo $! $$; kill -STOP $PPID; sleep 60"
    with Child(["sh", "-c", script], cwd=tmp_path, env=env, grace_s=0) as child:
        streams, end = read(child, wall_s=0.3)
    assert all(gone(int(pid)) for pid in streams["stdout"].split())
    assert (end.exit_code, end.cause) == (None, "wall")


def test_killed_shim(tmp_path: Path, env: dict[str, str], gone: Callable[[int], bool]) -> None:
    """A program that kills the shim does not outlive it, and has not succeeded."""
    with Child(["sh", "-c", "echo $$; sleep 0.2; kill -9 $PPID; sleep 60"], cwd=tmp_path, env=env) as child:
        streams, end = read(child)
    assert gone(int(streams["stdout"]))
    assert end.exit_code == 128 + signal.SIGKILL


def test_many_at_once(tmp_path: Path, env: dict[str, str]) -> None:
    """Children started by several threads at the same time each end when they are told, not when their siblings do."""

    def one(number: int) -> tuple[bytes, str]:
        with Child(["sh", "-c", f"echo {number}; exec sleep 60"], cwd=tmp_path, env=env) as child:
            said = b""
            for _, chunk in child.chunks(wall_s=20):
                said += chunk
                if said:
                    child.request_stop()
        assert child.end.duration_s < 10
        return said, child.end.cause

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(one, range(24))) == [(f"{number}\n".encode(), "stopped") for number in range(24)]


def test_waits_for_the_word(tmp_path: Path, env: dict[str, str]) -> None:
    """A program that has to wait starts when it is told, and not before."""
    with Child(["touch", "begun"], cwd=tmp_path, env=env, waits=True) as child:
        for _ in zip(range(3), child.chunks(), strict=False):
            assert not (tmp_path / "begun").exists()
        child.go()
        _, end = read(child)
    assert (end.exit_code, (tmp_path / "begun").exists()) == (0, True)


def test_the_word_never_comes(tmp_path: Path, env: dict[str, str]) -> None:
    """One that was never told to go was never there: not when it is stopped, nor when somebody else ends the shim."""
    with Child(["touch", "begun"], cwd=tmp_path, env=env, waits=True) as child:
        child.stop()
    assert (child.end.exit_code, child.end.cause) == (None, "stopped")
    with Child(["touch", "begun"], cwd=tmp_path, env=env, waits=True) as child:
        time.sleep(0.3)  # until the shim listens
        os.kill(child.pid, signal.SIGTERM)
        _, end = read(child)
        child.go()
    assert (end.exit_code, end.cause, end.missing) == (None, "exit", False)
    assert not (tmp_path / "begun").exists()


@pytest.mark.parametrize("manner", ["hurry", "two signals", "interrupt"])
def test_at_once(tmp_path: Path, env: dict[str, str], python: Python, gone: Callable[[int], bool], manner: str) -> None:
    """Told twice to end, or interrupted, nothing is left within a second, although the program ignores SIGTERM."""
    code = IGNORES_TERM.replace("'on'", "__import__('os').getpid()")
    with suppress(KeyboardInterrupt), Child(python(code), cwd=tmp_path, env=env, grace_s=30) as child:
        chunks = child.chunks(wall_s=60)
        pid = int(next(chunk for _, chunk in chunks if chunk))
        child.request_stop()
        next(chunks)
        began = time.monotonic()
        if manner == "interrupt":
            raise KeyboardInterrupt
        if manner == "hurry":
            child.hurry()
        else:
            os.kill(child.pid, signal.SIGTERM)
        list(chunks)
    assert gone(pid)
    assert time.monotonic() - began < 1
    assert child.end.cause == "stopped"


def test_one_signal_leaves_the_grace(tmp_path: Path, env: dict[str, str], python: Python) -> None:
    """An order to end that comes over the pipe and as a signal is one order, and the grace is given."""
    with Child(python(IGNORES_TERM), cwd=tmp_path, env=env, grace_s=0.8) as child:
        next(chunk for _, chunk in child.chunks() if chunk)
        began = time.monotonic()
        child.stop()
    assert time.monotonic() - began >= 0.8
