"""A tree -> a folder in which a command of the user's has made its environment; kept as long as the lock files stay."""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from loopwright.errors import SetupError
from loopwright.guard.redact import Masker
from loopwright.process.command import run_command
from loopwright.process.limits import Limits
from loopwright.run.blind_spots import delete
from loopwright.run.git import Repository
from loopwright.run.place import ROUND_S, take
from loopwright.run.surroundings import LOCK_FILES
from loopwright.run.tree import Tree
from loopwright.text.excerpt import excerpt

_MANIFESTS = (
    *("pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", "requirements-dev.txt", "package.json"),
    *("go.mod", "Cargo.toml", "Gemfile"),
)
_TIME_LIMIT_S = 1800.0


@dataclass(frozen=True)
class Setup:
    """Makes environments for the trees of one repository."""

    command: str
    repository: Repository
    cache: Path
    cancel: threading.Event
    limits: Limits = Limits()

    def folder(self, tree: Tree, commit: str, environment: Mapping[str, str]) -> Path:
        """Give the folder with the environment for a commit; made where there is none yet for its lock files."""
        place = self.cache / "setups" / _hash(os.fsencode(self.repository.root)) / self._key(tree, commit)
        files = place / (self.repository.root.name or "repository")
        place.mkdir(parents=True, exist_ok=True)
        with (place / "lock").open("a") as lock:
            while not take(lock):
                if self.cancel.wait(ROUND_S):
                    raise SetupError("interrupted while another run makes the environment")
            if not (place / "ready").exists():
                self._make(tree, commit, files, environment)
            (place / "ready").touch()
        return files

    def _make(self, tree: Tree, commit: str, files: Path, environment: Mapping[str, str]) -> None:
        git_dir = files.parent / "setup.git"
        for left in (git_dir, files):
            delete(left)
        made = Tree.make(git_dir, files, self.repository, tree.git_dir / "objects")
        # Objects that the run has and the repository has not are reached through those that the tree borrows from.
        made.check_out(commit)
        argv = ["/bin/sh", "-c", self.command]
        done = run_command(
            argv,
            cwd=files,
            env=environment,
            timeout_s=_TIME_LIMIT_S,
            cancel=self.cancel,
            limits=self.limits,
            sieve=Masker(os.environ).stream(),
        )
        if done.exit_code != 0:
            raise SetupError(f"[checks] setup failed: `{self.command}`: {done.over_limit or excerpt(done.output)}")

    def _key(self, tree: Tree, commit: str) -> str:
        """Hash the lock files, or where there is none what would be locked."""
        locked = tree.git("ls-tree", "-z", commit, "--", *LOCK_FILES)
        decisive = locked or tree.git("ls-tree", "-z", commit, "--", *_MANIFESTS)
        return _hash(f"{self.command}\0{decisive}".encode(errors="surrogateescape"))


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]
