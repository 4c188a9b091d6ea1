"""A program that finds one folder in the place of another: through the shim, in a real namespace."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from loopwright.process.command import run_command
from loopwright.process.starting import Mount
from loopwright.records.command import CommandResult


def allowed() -> bool:
    unshare = shutil.which("unshare")
    flags = ["-m"] if os.geteuid() == 0 else ["-r", "-m"]
    return unshare is not None and subprocess.run([unshare, *flags, "true"], capture_output=True).returncode == 0


pytestmark = pytest.mark.skipif(not allowed(), reason="no mount namespaces here: run as root, or allow user namespaces")
MOUNTS = Path("/proc/self/mounts")


@pytest.fixture
def mount(tmp_path: Path) -> Mount:
    """Give a tree, a folder that it is to cover with one folder of its own to be kept, and a scratch."""
    for name in ("tree/deps", "over/deps/inner", "scratch"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "tree" / "file").write_text("the tree's\n")
    (tmp_path / "over" / "file").write_text("covered\n")
    (tmp_path / "over" / "deps" / "inner" / "module").write_text("installed\n")
    return Mount(tmp_path / "tree", tmp_path / "over", tmp_path / "scratch", ("deps",))


def run(script: str, mount: Mount, env: dict[str, str]) -> CommandResult:
    return run_command(["sh", "-c", script], cwd=mount.scratch, env=env, timeout_s=20, mount=mount)


def test_what_a_program_sees(mount: Mount, env: dict[str, str]) -> None:
    """It starts at the covered path, sees the tree there, and the folders that were to be kept."""
    done = run("pwd; cat file deps/inner/module; ls", mount, env)
    assert (done.exit_code, done.output) == (0, f"{mount.over}\nthe tree's\ninstalled\ndeps\nfile\n")


def test_what_is_written(mount: Mount, env: dict[str, str]) -> None:
    """What is written to the tree stays, what is written to a kept folder is gone, what is covered is as it was."""
    done = run("echo new > file; echo new > deps/inner/module; rm -r deps/inner; echo x > deps/x; ls deps", mount, env)
    assert (done.exit_code, done.output) == (0, "x\n")
    assert (mount.tree / "file").read_text() == "new\n"
    assert (mount.over / "file").read_text() == "covered\n"
    assert (mount.over / "deps" / "inner" / "module").read_text() == "installed\n"
    assert list((mount.tree / "deps").iterdir()) == list(mount.scratch.iterdir()) == []


def test_nobody_else_sees_it(mount: Mount, env: dict[str, str]) -> None:
    """While the program runs and after it, everybody else has the mounts that they had."""
    before = MOUNTS.read_text()
    done = run(f"cat {MOUNTS}; cat /proc/{os.getpid()}/mounts > seen", mount, env)
    assert str(mount.over) in done.output
    assert (mount.tree / "seen").read_text() == MOUNTS.read_text() == before


def test_a_program_that_is_ended_leaves_nothing_mounted(mount: Mount, env: dict[str, str]) -> None:
    """A limit ends the program with its namespace, daemons included."""
    before = MOUNTS.read_text()
    done = run_command(
        ["sh", "-c", "setsid sleep 60 & sleep 60"], cwd=mount.scratch, env=env, timeout_s=0.3, mount=mount
    )
    assert done.timed_out
    assert MOUNTS.read_text() == before
    shutil.rmtree(mount.scratch)


def test_its_exit_code_and_its_environment_are_its_own(mount: Mount, env: dict[str, str]) -> None:
    """Nothing but the place is different."""
    done = run("echo $WORD; exit 7", mount, {**env, "WORD": "said"})
    assert (done.exit_code, done.output) == (7, "said\n")


@pytest.mark.parametrize("part", ["tree", "over", "scratch"])
def test_a_folder_that_is_not_there(part: str, mount: Mount, env: dict[str, str]) -> None:
    """A mount that can't be made is said, the program is not started, and nothing is left behind."""
    before = MOUNTS.read_text()
    broken = Mount(**{**vars(mount), part: mount.scratch.parent / "nowhere"})
    argv = ["sh", "-c", f"touch {mount.scratch.parent}/ran"]
    done = run_command(argv, cwd=mount.scratch, env=env, timeout_s=20, mount=broken)
    assert done.exit_code != 0
    assert "can't put the tree in its place: mount: No such file or directory" in done.output
    assert not (mount.scratch.parent / "ran").exists()
    assert MOUNTS.read_text() == before


def test_a_kept_folder_that_is_not_there(mount: Mount, env: dict[str, str]) -> None:
    """Neither may a folder that is to be kept be missing."""
    done = run("true", Mount(mount.tree, mount.over, mount.scratch, ("none",)), env)
    assert done.exit_code != 0
    assert "can't put the tree" in done.output


def test_a_program_that_is_not_there(mount: Mount, env: dict[str, str]) -> None:
    """A missing program is told from a mount that failed."""
    done = run_command(["no-such-program"], cwd=mount.scratch, env=env, timeout_s=20, mount=mount)
    assert done.missing


def test_a_covered_place_that_is_a_program_of_the_tree(mount: Mount, env: dict[str, str]) -> None:
    """A program that is named by its path from the root is the tree's."""
    (mount.tree / "program").write_text("#!/bin/sh\necho of the tree\n")
    (mount.tree / "program").chmod(0o755)
    (mount.over / "program").write_text("#!/bin/sh\necho covered\n")
    done = run_command(["./program"], cwd=mount.scratch, env=env, timeout_s=20, mount=mount)
    assert done.output == "of the tree\n"
