"""Where criteria are evaluated: a checkout of what the agent left, never the place where it worked."""

from __future__ import annotations

import os
import shlex
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from loopwright.errors import RepositoryError, TaskError
from loopwright.process.command import run_command
from loopwright.records.command import CommandResult
from loopwright.run.blind_spots import delete, sweep
from loopwright.run.dependencies import Dependencies, binaries, leads_into, project_path
from loopwright.run.git import Repository, Tree
from loopwright.run.submodules import bring_submodules

_STEERING = (
    *("PYTHON", "PYTEST_", "COV_CORE_", "COVERAGE_", "LD_", "DYLD_", "GIT_", "LOOPWRIGHT_", "NODE_", "npm_"),
    "BASH_FUNC_",
)
_STEERING_NAMES = {
    *("BASH_ENV", "ENV", "CDPATH", "SHELLOPTS", "BASHOPTS", "OLDPWD", "RUBYOPT", "RUBYLIB", "PERL5OPT", "PERL5LIB"),
    *("JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS", "GOFLAGS"),
}


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
    _entries: dict[str, str] = field(default_factory=dict)
    """What the commit holds; kept here, out of the commands' reach."""
    _dependencies: Dependencies = field(init=False)

    def __post_init__(self) -> None:
        self._dependencies = Dependencies(self.repository.root, self.root)

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
            self._renew(commit)
        self._commit, self._used = commit, False
        return self._tree.tree_of(commit)

    def _renew(self, commit: str) -> None:
        try:
            # What is not tracked goes first: git would wait at a pipe where it looks for its own files.
            sweep(self.root, self._entries, self._dependencies.names)
            self._fill(commit)
            self._dependencies.restore()
        except (RepositoryError, OSError):  # a command can leave what git can't undo, a link in place of the room too
            self._make(commit)

    def _make(self, commit: str) -> None:
        self.close()
        Tree.make(self._tree.git_dir, self.root, self.repository, self.objects)
        self._fill(commit)
        self._dependencies.bring()

    def _fill(self, commit: str) -> None:
        self._tree.check_out(commit)
        if commit != self._commit:
            had_submodules = any(self._entries.values())
            self._entries = self._tree.entries()
            if had_submodules:  # git leaves the files of one that the commit no longer has
                sweep(self.root, self._entries, self._dependencies.names)
        bring_submodules(self.repository, self._tree, self._entries)

    def close(self) -> None:
        """Leave nothing behind; it is made again when it is needed."""
        self._commit, self._used = "", False
        self._dependencies = Dependencies(self.repository.root, self.root)
        delete(self._tree.git_dir)
        delete(self.folder / "checkroom")

    def path(self, relative: str) -> Path:
        self._refresh()
        place = self.root / relative
        if Path(relative).is_absolute() or ".." in Path(relative).parts or not self._holds(place):
            raise TaskError(f"`{relative}` leaves the repository", "criteria look at files inside of it")
        return place

    def _holds(self, place: Path) -> bool:
        try:
            # Not Path.resolve: what that does with links in a circle depends on the version of Python.
            return Path(os.path.realpath(place)).is_relative_to(os.path.realpath(self.root))
        except (OSError, ValueError):  # a name that no file can have
            return False

    def files(self, pattern: str) -> Sequence[Path]:
        if not any(sign in pattern for sign in "*?["):
            place = self.path(pattern)
            return [place] if place.is_file() else []
        self._refresh()
        listed = self._tree.listed("ls-files", "-z", "--", f":(glob){pattern}")
        return [place for place in map(self.path, listed) if place.is_file()]

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
    if binaries(place) or leads_into(repository, kept.get("VIRTUAL_ENV", os.sep)):
        kept.pop("VIRTUAL_ENV", None)
    return {
        **kept,
        "PATH": project_path(repository, place),
        "PWD": str(place),
        "PYTHONDONTWRITEBYTECODE": "1",
        # The room has no `.git`: a repository further up, such as one over the user's home, is not the project's.
        "GIT_CEILING_DIRECTORIES": str(place.parent),
    }
