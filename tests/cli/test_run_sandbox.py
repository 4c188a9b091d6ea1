"""`loopwright run` with the agent in a sandbox."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from loopwright.process.sandbox import obstacle
from world import PROGRAM, Loopwright, Repo, agent, prompts

FIX = agent("echo 42 > answer", "echo fixed it")
TEST = ("--test", "sh test.sh")


def test_the_sandbox_flag_is_taken(repo: Repo, loopwright: Loopwright) -> None:
    """--sandbox is accepted with its three values and no other; `required` where there can be none is an error."""
    for value, code in (("required", 1 if obstacle() else 0), ("auto", 0), ("off", 0)):
        assert loopwright("run", "x", "--file", "answer", *FIX, "--sandbox", value).code == code
    called = loopwright("run", "x", "--file", "answer", *FIX, "--sandbox", "maybe")
    assert called.code == 2
    assert "required" in called.err


def test_a_sandbox_that_can_not_be_had(repo: Repo, tmp_path: Path) -> None:
    """A run that requires a sandbox ends before anything is written down where there is none; any other goes on."""
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in ("git", "sh", "grep", "cat"):
        (programs / name).symlink_to(str(shutil.which(name)))

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "PATH": str(programs)}
        return subprocess.run([*PROGRAM, *words], env=environment, capture_output=True, text=True, cwd=repo.root)

    refused = run("run", "x", *map(str, TEST), *map(str, FIX), "--sandbox", "required")
    assert refused.returncode == 1
    assert "the agent can't be confined, and that is required: bubblewrap is not installed" in refused.stderr
    assert "--sandbox off" in refused.stderr
    assert json.loads(run("runs", "--json").stdout) == []
    assert run("run", "x", *map(str, TEST), *map(str, FIX)).returncode == 0


@pytest.mark.skipif(obstacle() is not None, reason=f"the sandbox does not work here: {obstacle()}")
def test_three_iterations_in_the_sandbox(repo: Repo, loopwright: Loopwright) -> None:
    """A confined agent goes on with what it left, is told what failed, and hears nothing of `loopwright check`."""
    lines = ('echo "$LOOPWRIGHT_ITERATION" >> tries', 'test "$(wc -l < tries)" -lt 3 || echo 42 > answer', "git add -A")
    called = loopwright("run", "Fix it", *TEST, *agent(*lines), "--sandbox", "required", "--json")
    assert (called.json["status"], called.json["iterations"]) == ("done", 3)
    assert repo.show(called.json["branch"], "tries").split() == ["1", "2", "3"]
    second = prompts(called.json)[1]
    assert "You are in a sandbox" in second and "loopwright check" not in second
    assert "the answer is 41, not 42" in second


@pytest.mark.skipif(obstacle() is not None, reason=f"the sandbox does not work here: {obstacle()}")
def test_what_the_sandbox_denied_is_told(repo: Repo, loopwright: Loopwright) -> None:
    """Whom an agent could not reach is told at once and at the end, with the setting that would allow it."""
    asks = "import urllib.request as r; r.urlopen('http://packages.example.com/a')"
    tries = agent(f'{sys.executable} -c "{asks}"', 'test "$LOOPWRIGHT_ITERATION" = 1 || exit 1')
    called = loopwright("run", "Fix it", *TEST, *tries, "--sandbox", "required", "--max-iterations", 2)
    assert "agent command, in a sandbox · base" in called.err
    denied = "⚠ the sandbox: it tried to reach packages.example.com:80: denied, it is not in [run] hosts"
    assert called.err.count(denied) == 1
    for out in (called.out, loopwright("queue").out, loopwright("show").out):
        assert "⚠ the sandbox denied: packages.example.com:80 (2×)" in out
        assert '→ to allow it, in loopwright.toml: [run] hosts = ["packages.example.com"]' in out
    assert "agent command, in a sandbox · started" in loopwright("show").out
    log = (repo.root / ".loopwright" / "runs" / repo.query("SELECT id FROM runs")[0][0] / "completion.md").read_text()
    assert "Agent `command`, in a sandbox" in log
