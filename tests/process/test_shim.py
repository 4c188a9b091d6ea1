from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from loopwright.process import shim
from loopwright.process.child import Child

Python = Callable[..., list[str]]
Gone = Callable[[int], bool]

DAEMON = textwrap.dedent("""
    import os, signal, sys, time
    if os.fork() == 0:
        os.setsid()
        if os.fork():
            os._exit(0)
        if "stubborn" in sys.argv:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
        os.write(1, b"%d" % os.getpid())
        time.sleep(300)
    os.wait()
    time.sleep(float(sys.argv[1]))
""")


@pytest.mark.parametrize("manner", ["polite", "stubborn"])
def test_daemon_after_a_normal_end(
    tmp_path: Path, env: dict[str, str], python: Python, gone: Gone, manner: str
) -> None:
    """A daemon in a session of its own is gone once the program that started it has ended."""
    with Child(python(DAEMON, 0.2, manner), cwd=tmp_path, env=env) as child:
        said = b"".join(chunk for _, chunk in child.chunks(wall_s=30))
    assert (child.end.exit_code, child.end.cause) == (0, "exit")
    assert gone(int(said))
    assert child.end.duration_s < 3


def test_daemon_after_a_limit(tmp_path: Path, env: dict[str, str], python: Python, gone: Gone) -> None:
    """A daemon that ignores SIGTERM is gone once a limit has ended the program."""
    with Child(python(DAEMON, 60, "stubborn"), cwd=tmp_path, env=env, grace_s=0.2) as child:
        said = b"".join(chunk for _, chunk in child.chunks(wall_s=0.5))
    assert child.end.cause == "wall"
    assert gone(int(said))


def test_daemon_without_the_pipe(tmp_path: Path, env: dict[str, str], gone: Gone) -> None:
    """A daemon that closed its output is gone as well."""
    script = "setsid sh -c 'echo $$ > pid; exec sleep 300 >/dev/null 2>&1 </dev/null' & sleep 0.2"
    with Child(["sh", "-c", script], cwd=tmp_path, env=env) as child:
        for _ in child.chunks():
            pass
    assert gone(int((tmp_path / "pid").read_text()))


def test_runner(tmp_path: Path, env: dict[str, str], python: Python) -> None:
    """A process that forks and exits over and over, so that each lives for a moment only, does not get away."""
    code = """
        import os, signal, time
        if os.fork():
            while not os.path.exists("pid"):
                time.sleep(0.01)
            os._exit(0)
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        end = time.time() + 20
        while time.time() < end:
            if os.fork():
                os._exit(0)
            open("pid", "w").write(str(os.getpid()))
    """
    with Child(python(textwrap.dedent(code)), cwd=tmp_path, env=env) as child:
        for _ in child.chunks():
            pass
    assert child.end.duration_s < 3
    last = (tmp_path / "pid").read_text()
    time.sleep(0.1)
    assert (tmp_path / "pid").read_text() == last


def test_we_are_killed(tmp_path: Path, env: dict[str, str], python: Python, gone: Gone) -> None:
    """When we are killed with SIGKILL, the program and its daemon end."""
    helper = """
        import sys
        from pathlib import Path
        from loopwright.process.child import Child
        with Child(sys.argv[1:], cwd=Path.cwd(), env={}, grace_s=0.2) as child:
            for _, chunk in child.chunks():
                sys.stdout.write(chunk.decode() + f" {child.pid}\\n")
                sys.stdout.flush()
    """
    argv = [sys.executable, "-c", textwrap.dedent(helper), *python(DAEMON, 300, "stubborn")]
    with subprocess.Popen(argv, cwd=tmp_path, stdout=subprocess.PIPE) as ours:
        assert ours.stdout is not None
        daemon, watcher = map(int, ours.stdout.readline().split())
        assert all(Path(f"/proc/{pid}").exists() for pid in (daemon, watcher))
        ours.kill()
    assert gone(daemon)
    assert gone(watcher)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_signal_to_the_shim(tmp_path: Path, env: dict[str, str], python: Python, gone: Gone, number: int) -> None:
    """Whoever finds a shim later ends all of it with a plain signal."""
    with Child(python(DAEMON, 60, "polite"), cwd=tmp_path, env=env) as child:
        said = b""
        for _, chunk in child.chunks(wall_s=30):
            said += chunk
            os.kill(child.pid, number)
    assert gone(int(said))
    assert (child.end.exit_code, child.end.cause) == (128 + signal.SIGTERM, "exit")


def test_held_death_pipe(tmp_path: Path, env: dict[str, str], python: Python) -> None:
    """A stop works even when a fork of ours holds the death pipe too."""
    code = """
        import os, time
        from pathlib import Path
        from loopwright.process.child import Child
        with Child(["sleep", "60"], cwd=Path.cwd(), env={"PATH": os.environ["PATH"]}) as child:
            fork = os.fork()
            if fork == 0:
                time.sleep(60)
                os._exit(0)
            child.stop()
        os.kill(fork, 9)
        os.waitpid(fork, 0)
        print(child.end.duration_s < 3)
    """
    argv = [sys.executable, "-c", textwrap.dedent(code)]
    assert subprocess.run(argv, cwd=tmp_path, capture_output=True, text=True, check=True).stdout == "True\n"


def test_without_a_subreaper(tmp_path: Path, gone: Gone) -> None:
    """Where the system has no subreaper, what is left in the program's own group is ended."""
    script = "sleep 300 & echo $!; wait"
    with subprocess.Popen(["sh", "-c", script], stdout=subprocess.PIPE, start_new_session=True) as leader:
        assert leader.stdout is not None
        orphan = int(leader.stdout.readline())
        family = shim.Family(leader.pid, adopts=False)
        family.signal(signal.SIGKILL)
    assert gone(orphan)


def test_group_of_nobody() -> None:
    """A signal to a group that is not there is not an error."""
    with subprocess.Popen(["true"], start_new_session=True) as process:
        process.wait()
    assert not shim.send(process.pid, signal.SIGTERM)
