"""Where criteria are evaluated: a checkout of what the agent left, never the place where it worked."""

from __future__ import annotations

import os
import shlex
import shutil
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from loopwright.errors import TaskError
from loopwright.process.command import run_command
from loopwright.records.command import CommandResult
from loopwright.run import dependencies
from loopwright.run.git import Repository, Tree
from loopwright.run.submodules import bring_submodules

_STEERING = ("PYTHON", "PYTEST_", "LD_", "DYLD_", "GIT_", "LOOPWRIGHT_", "NODE_", "npm_", "COV_CORE_", "COVERAGE_")
_STEERING_NAMES = {"BASH_ENV", "ENV", "CDPATH", "RUBYOPT", "PERL5OPT", "PERL5LIB", "JAVA_TOOL_OPTIONS", "GOFLAGS"}


@dataclass
class Checkroom:
    """A folder that is made to hold one commit at a time, and looked at."""

    repository: Repository
    folder: Path
    objects: Path
    """Where the run's commits are."""
    cancel: threading.Event = field(default_factory=threading.Event)
    _commit: str = ""
    _used: bool = False
    """A command has run since the room was made clean."""

    @property
    def root(self) -> Path:
        return self.folder / "checkroom" / (self.repository.root.name or "repository")

    @property
    def _tree(self) -> Tree:
        return Tree(self.folder / "checkroom.git", self.root)

    def enter(self, commit: str) -> str:
        """Make the room hold exactly what a commit holds, and give the hash of its tree."""
        if not self._commit:
            self._make(commit)
        elif self._used or self._commit != commit:
            self._tree.check_out(commit)
            keep = [f"--exclude=/{name}" for name in dependencies.FOLDERS]
            self._tree.git("clean", "-ffdxq", *keep)
        self._commit, self._used = commit, False
        return self._tree.git("rev-parse", f"{commit}^{{tree}}")

    def _make(self, commit: str) -> None:
        self.clear()
        tree = Tree.make(self._tree.git_dir, self.root, self.repository, self.objects)
        tree.check_out(commit)
        bring_submodules(self.repository, commit, self.root)
        dependencies.bring_dependencies(self.repository.root, self.root)

    def clear(self) -> None:
        """Leave nothing behind; it is made again when it is needed."""
        self._commit = ""
        shutil.rmtree(self._tree.git_dir, ignore_errors=True)
        shutil.rmtree(self.folder / "checkroom", ignore_errors=True)

    def path(self, relative: str) -> Path:
        self._refresh()
        place = self.root / relative
        if not place.resolve().is_relative_to(self.root.resolve()):
            raise TaskError(f"`{relative}` leaves the repository", "criteria look at files inside of it")
        return place

    def files(self, pattern: str) -> Sequence[Path]:
        if not any(sign in pattern for sign in "*?["):
            place = self.path(pattern)
            return [place] if place.is_file() else []
        self._refresh()
        listed = self._tree.git("ls-files", "-z", "--", f":(glob){pattern}").split("\0")
        return [self.path(name) for name in listed if name and self.path(name).is_file()]

    def run(self, command: str, *, shell: bool, timeout_s: float) -> CommandResult:
        self._refresh()
        self._used = True
        argv = ["/bin/sh", "-c", command] if shell else shlex.split(command)
        environment = check_environment(self.repository.root, self.root)
        return run_command(argv, cwd=self.root, env=environment, timeout_s=timeout_s, cancel=self.cancel)

    def _refresh(self) -> None:
        """Let nobody see what a command left behind: neither the next criterion nor the same command run again."""
        if self._used:
            self.enter(self._commit)


def check_environment(repository: Path, place: Path) -> dict[str, str]:
    """The host's environment without what could steer a test run, and with the project's own programs first."""
    kept = {
        key: value for key, value in os.environ.items() if not key.startswith(_STEERING) and key not in _STEERING_NAMES
    }
    if dependencies.binaries(place):
        kept.pop("VIRTUAL_ENV", None)
    return {**kept, "PATH": dependencies.project_path(repository, place), "PYTHONDONTWRITEBYTECODE": "1"}
