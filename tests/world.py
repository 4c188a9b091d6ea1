"""The world of a user, for tests: a repository, the command line, agents of a few lines."""

from __future__ import annotations

import json
import os
import shlex
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PROGRAM = [sys.executable, "-c", "from loopwright.cli.main import program; program()"]
"""The command line as a process: what the script `loopwright` does."""


@dataclass(frozen=True)
class Repo:
    """A user's repository."""

    root: Path

    def git(self, *arguments: str) -> str:
        done = subprocess.run(["git", "-C", str(self.root), *arguments], capture_output=True, text=True, check=True)
        return done.stdout.strip()

    def write(self, name: str, content: str = "") -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
        return path

    def commit(self, message: str = "more") -> str:
        self.git("add", "-A")
        self.git("commit", "-qm", message)
        return self.git("rev-parse", "HEAD")

    def show(self, revision: str, name: str) -> str:
        return self.git("show", f"{revision}:{name}")

    def query(self, sql: str) -> list[tuple[Any, ...]]:
        """Ask the store, without Loopwright."""
        store = self.root / ".loopwright" / "store.sqlite"
        if not store.exists():
            return []
        with closing(sqlite3.connect(store)) as connection:
            return connection.execute(sql).fetchall()

    def statuses(self) -> list[str]:
        """Give what the store says of each run, the oldest first."""
        return [row[0] for row in self.query("SELECT status FROM runs ORDER BY started_at, id")]

    def files(self, revision: str) -> list[str]:
        return self.git("ls-tree", "-r", "--name-only", revision).splitlines()


@dataclass(frozen=True)
class Called:
    """What a call of the command line left."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Loopwright = Callable[..., Called]
MakeRepo = Callable[[str], Repo]


def agent(*lines: str) -> Sequence[str]:
    """Give the flags for an agent that is a few lines of shell."""
    script = "\n".join(lines)
    return ["--agent-command", f"sh -c {shlex.quote(script)}"]


def start(*arguments: object, cwd: Path, **options: Any) -> subprocess.Popen[str]:
    """Start the command line as a process of its own."""
    streams: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen([*PROGRAM, *map(str, arguments)], cwd=cwd, **(streams | options))


def wait_for(condition: Callable[[], Any], seconds: float = 20) -> Any:
    """Wait until something holds and give it; fail where it never does."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if found := condition():
            return found
        time.sleep(0.02)
    raise AssertionError("it did not come true in time")


def alive(pid: int) -> bool:
    """Say whether a process is there and has not ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def prompts(result: dict[str, Any]) -> list[str]:
    """Give the prompts of a run, in order."""
    folder = Path(result["artifacts"]["dir"]) / "prompts"
    return [path.read_text() for path in sorted(folder.iterdir())]


def environment(**changes: str) -> dict[str, str]:
    return {**os.environ, **changes}
