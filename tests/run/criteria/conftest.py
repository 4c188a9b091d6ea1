"""A room over a folder: the port as criteria see it, with real files and real subprocesses."""

from __future__ import annotations

import hashlib
import shlex
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from loopwright.errors import TaskError
from loopwright.ports import Model
from loopwright.records.command import CommandResult


@dataclass
class FolderRoom:
    """A folder to look at, and how many commands were run in it."""

    root: Path
    commands: list[str] = field(default_factory=list)
    model: Model | None = None
    diff: str = ""

    def changes(self) -> str:
        return self.diff

    def write(self, name: str, content: str | bytes = "") -> Path:
        place = self.root / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content if isinstance(content, bytes) else content.encode())
        return place

    def script(self, name: str, *lines: str) -> str:
        self.write(name, "\n".join(("#!/bin/sh", *lines, ""))).chmod(0o755)
        return f"./{name}"

    def path(self, relative: str) -> Path:
        place = self.root / relative
        if not place.resolve().is_relative_to(self.root.resolve()):
            raise TaskError(f"`{relative}` leaves the repository")
        return place

    def files(self, pattern: str) -> Sequence[Path]:
        return sorted(self.path(str(place.relative_to(self.root))) for place in self.root.glob(pattern))

    def run(self, command: str, *, shell: bool, timeout_s: float) -> CommandResult:
        self.commands.append(command)
        argv = ["/bin/sh", "-c", command] if shell else shlex.split(command)
        started = time.monotonic()
        try:
            done = subprocess.run(
                argv, cwd=self.root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=timeout_s, check=False
            )
        except FileNotFoundError:
            return CommandResult(None, "", "", 0.0, missing=True)
        except subprocess.TimeoutExpired as error:
            return self._result(None, error.stdout or b"", started, timed_out=True)
        return self._result(done.returncode, done.stdout, started)

    def _result(self, exit_code: int | None, output: bytes, started: float, timed_out: bool = False) -> CommandResult:
        digest = hashlib.sha256(output).hexdigest()
        text = output.decode(errors="replace")
        return CommandResult(exit_code, text, digest, time.monotonic() - started, timed_out=timed_out)


@pytest.fixture
def room(tmp_path: Path) -> FolderRoom:
    root = tmp_path / "tree"
    root.mkdir()
    return FolderRoom(root)
