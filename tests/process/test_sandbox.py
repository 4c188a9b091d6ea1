"""Programs in real sandboxes: exit codes, limits, ends. What an attacker tries is in tests/integrity."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from loopwright.process.child import Child, End
from loopwright.process.limits import Limits
from loopwright.process.marked import marked
from loopwright.process.sandbox import AGENT_USER, Sandbox, give, obstacle

pytestmark = pytest.mark.skipif(obstacle() is not None, reason=f"the sandbox does not work here: {obstacle()}")

Gone = Callable[[int], bool]


@pytest.fixture
def sandbox(tmp_path: Path) -> Iterator[Sandbox]:
    """Give a sandbox with an empty workspace."""
    (tmp_path / "workspace").mkdir()
    made = Sandbox(tmp_path / "workspace", tmp_path / "own")
    made.prepare()
    yield made
    shutil.rmtree(made.own)


def start(sandbox: Sandbox, code: str, limits: Limits = Limits(), grace_s: float = 5.0) -> Child:
    argv = sandbox.argv(["python3", "-I", "-S", "-c", textwrap.dedent(code)])
    environment = {"PATH": "/usr/bin:/bin", **sandbox.environment(), "MARK": str(sandbox.own)}
    return Child(argv, cwd=sandbox.workspace, env=environment, limits=limits, grace_s=grace_s, mark="MARK")


def ended(sandbox: Sandbox, code: str, limits: Limits = Limits(), **more: float) -> tuple[str, End]:
    """Run a small program in the sandbox to its end."""
    with start(sandbox, code, limits) as child:
        out = b"".join(chunk for _, chunk in child.chunks(**more))  # type: ignore[arg-type]
    return out.decode(), child.end


def left(sandbox: Sandbox) -> list[int]:
    """Give what is still alive of it, after a moment."""
    deadline = time.monotonic() + 5
    while (found := marked("MARK", str(sandbox.own))) and time.monotonic() < deadline:
        time.sleep(0.02)
    return found


@pytest.mark.parametrize(
    ("code", "exit_code"),
    [("", 0), ("raise SystemExit(7)", 7), ("import os; os.kill(os.getpid(), 9)", 137), ("import os; os.abort()", 134)],
)
def test_exit_codes(sandbox: Sandbox, code: str, exit_code: int) -> None:
    """Exit codes come through as they are, and 128 + N for a program that died of signal N."""
    assert ended(sandbox, code)[1].exit_code == exit_code


def test_a_program_that_is_not_there(sandbox: Sandbox) -> None:
    """A program that can't be seen inside ends with 127 and says which one it is."""
    argv = sandbox.argv(["no-such-program"])
    done = subprocess.run(argv, capture_output=True, text=True, env={"PATH": "/usr/bin"})
    assert (done.returncode, done.stderr) == (
        127,
        "can't start `no-such-program` in the sandbox: No such file or directory\n",
    )


def test_stdin_and_place(sandbox: Sandbox, tmp_path: Path) -> None:
    """The program starts in its workspace, reads what it is given and leaves what it writes."""
    (tmp_path / "prompt").write_text("do it")
    argv = sandbox.argv(["sh", "-c", "pwd; cat > got"])
    environment = {"PATH": "/usr/bin:/bin", **sandbox.environment()}
    with Child(argv, cwd=sandbox.workspace, env=environment, stdin=tmp_path / "prompt") as child:
        out = b"".join(chunk for _, chunk in child.chunks())
    assert out.decode() == f"{sandbox.workspace}\n"
    assert (sandbox.workspace / "got").read_text() == "do it"


def test_a_program_is_told_where_it_is(sandbox: Sandbox) -> None:
    """PWD is the workspace, for those who look there and not where they are."""
    assert ended(sandbox, "import os; print(os.environ['PWD'])")[0] == f"{sandbox.workspace}\n"


def test_a_fork_bomb(sandbox: Sandbox) -> None:
    """Processes inside are counted, and one that makes too many is ended with all of them."""
    bomb = "import os, time\nwhile True:\n    if os.fork() == 0: time.sleep(60)\n    time.sleep(0.002)"
    _, end = ended(sandbox, bomb, Limits(processes=60))
    assert end.cause == "processes"
    assert left(sandbox) == []


def test_a_huge_file(sandbox: Sandbox) -> None:
    """A file can't grow beyond its limit, in the workspace or in /tmp, and the program that tries is ended."""
    for place in ("huge", "/tmp/huge"):
        code = f"import signal; signal.signal(25, 0)\nwith open('{place}', 'wb') as f: f.truncate(50 * 10**9)"
        _, end = ended(sandbox, code, Limits(file_size=10**6))
        assert end.cause == "file_size", place
    assert (sandbox.workspace / "huge").stat().st_size <= 10**6


def test_too_much_memory(sandbox: Sandbox) -> None:
    """Memory inside is counted, and one that takes too much is ended."""
    _, end = ended(sandbox, "import time; x = b'x' * 200_000_000; time.sleep(60)", Limits(memory=100_000_000))
    assert end.cause == "memory"


def test_a_grace(sandbox: Sandbox) -> None:
    """Asked to end, a program inside hears of it and has its time: its last words come through."""
    code = """
    import os, signal, time
    signal.signal(signal.SIGTERM, lambda *_: (os.write(1, b"farewell\\n"), os._exit(3)))
    os.write(1, b"on\\n")
    time.sleep(60)
    """
    out = b""
    with start(sandbox, code) as child:
        for _, chunk in child.chunks():
            out += chunk
            if out == b"on\n":
                child.request_stop()
    assert out == b"on\nfarewell\n"
    assert left(sandbox) == []


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGKILL])
def test_nothing_is_left(sandbox: Sandbox, gone: Gone, sent: int) -> None:
    """Ended or killed, a shim leaves nothing of the sandbox alive, not who ignores signals and has left the session."""
    code = """
    import os, signal, time
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if os.fork() == 0:
        os.setsid()
        os.fork()
        time.sleep(60)
    print("on", flush=True)
    time.sleep(60)
    """
    with start(sandbox, code, grace_s=0.2) as child:
        for _, chunk in child.chunks():
            if chunk:
                assert len(marked("MARK", str(sandbox.own))) > 3
                os.kill(child.pid, sent)
    assert gone(child.pid)
    assert left(sandbox) == []


def test_who_ends_takes_all_along(sandbox: Sandbox) -> None:
    """A daemon that a program has left behind ends with it."""
    _, end = ended(sandbox, "import os, time\nif os.fork() == 0:\n    os.setsid(); time.sleep(60)")
    assert end.exit_code == 0
    assert left(sandbox) == []


def test_what_is_hidden_stays_so(tmp_path: Path) -> None:
    """A folder is hidden also where it lies in one that is shown, and what is shown below it is there."""
    for name in ("tools", "tools/mine", "tools/mine/shown", "workspace"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").write_text(name)
    shown = (tmp_path / "tools", tmp_path / "tools" / "mine" / "shown", tmp_path / "not there")
    sandbox = Sandbox(tmp_path / "workspace", tmp_path / "own", shown, (tmp_path / "tools" / "mine",))
    sandbox.prepare()
    out, _ = ended(
        sandbox,
        f"""
        from os import listdir
        print(sorted(listdir("{tmp_path}/tools")), listdir("{tmp_path}/tools/mine"), open("{shown[1]}/file").read())
        open("{tmp_path}/tools/mine/x", "w")
        """,
    )
    assert "['file', 'mine'] ['shown'] tools/mine/shown\n" in out
    assert "Read-only file system" in out


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_files_are_given(tmp_path: Path) -> None:
    """All in a folder becomes somebody's, but nothing that a link leads to."""
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "outside").write_text("")
    (tmp_path / "a" / "b" / "link").symlink_to(tmp_path / "outside")
    give(tmp_path / "a", AGENT_USER)
    assert {(tmp_path / name).lstat().st_uid for name in ("a", "a/b", "a/b/link")} == {AGENT_USER}
    assert (tmp_path / "outside").stat().st_uid == 0


def test_it_ends_with_us(sandbox: Sandbox, gone: Gone) -> None:
    """When we are killed, nothing of the sandbox is left either."""
    code = f"""
    import sys, time
    from pathlib import Path
    sys.path.insert(0, {str(Path(__file__).parent)!r})
    from test_sandbox import Sandbox, start
    made = Sandbox(Path({str(sandbox.workspace)!r}), Path({str(sandbox.own)!r}))
    with start(made, "import time; open('on', 'w'); time.sleep(60)"):
        time.sleep(60)
    """
    with subprocess.Popen([sys.executable, "-c", textwrap.dedent(code)]) as ours:
        while not (sandbox.workspace / "on").exists():
            assert ours.poll() is None
            time.sleep(0.01)
        assert marked("MARK", str(sandbox.own))
        ours.kill()
    assert left(sandbox) == []
