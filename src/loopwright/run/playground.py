"""The agent's own git folder: made by us, written by the agent, and from then on never trusted.

Git is never run in it, for its config could name programs to run. What we read or write there is a file that is
reached without following a link, so that it can't lead us into the user's repository.
"""

from __future__ import annotations

import functools
import os
import re
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from loopwright.run.blind_spots import delete
from loopwright.run.git import Repository, init
from loopwright.run.git_folder import borrow, lenders, make_folder
from loopwright.run.tree import Tree

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
_TEXT = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
_MOST_BYTES = 20_000_000
_NOBODY = {"name": "Loopwright", "email": "loopwright@localhost"}
_LOCKS = ("index.lock", "HEAD.lock", "config.lock", "packed-refs.lock")


@dataclass(frozen=True)
class Playground:
    """The `.git` among the agent's files. It borrows all objects and has no remote."""

    repository: Repository
    keeper: Tree
    branch: str

    @property
    def git_dir(self) -> Path:
        return self.keeper.files / ".git"

    def make(self, commit: str) -> None:
        """Make it anew, with the branch at a commit."""
        delete(self.git_dir)
        environment = self.keeper.environment
        with_files = functools.partial(init, self.repository, str(self.keeper.files), environment=environment)
        make_folder(self.git_dir, ("", self.repository.object_format), with_files)
        (self.git_dir / "HEAD").write_text(f"ref: refs/heads/{self.branch}\n")
        borrow(self.git_dir, self.repository.common, self.keeper.git_dir / "objects")
        known = self.repository.settings_of("user")
        with (self.git_dir / "config").open("ab") as config:
            config.write(
                os.fsencode(_section("user", {name: known.get(name, default) for name, default in _NOBODY.items()}))
            )
        (self.git_dir / "info").mkdir(exist_ok=True)
        (self.git_dir / "info" / "exclude").write_bytes((self.keeper.git_dir / "info" / "exclude").read_bytes())
        self._stand_on(commit)

    def move(self, commit: str) -> None:
        """Let the agent's branch stand on our commit, so that it begins the next attempt with a clean status.

        One that is on another branch is left there. What is no git folder of its own any more is made anew: the next
        `git` of the agent would find some other repository, perhaps the user's.
        """
        try:
            if not self._is_its_own():
                self.make(commit)
            elif self._read("HEAD") == f"ref: refs/heads/{self.branch}":
                self._stand_on(commit)
        except OSError:
            self.make(commit)

    def head(self) -> str:
        """The commit that the agent stands on; empty where that can't be told."""
        try:
            said = self._read("HEAD")
            if said.startswith("ref: "):
                said = self._resolve(said.removeprefix("ref: "))
        except OSError:
            return ""
        return said if re.fullmatch(r"[0-9a-f]{40}|[0-9a-f]{64}", said) else ""

    def _resolve(self, ref: str) -> str:
        parts = ref.split("/")
        if parts[0] != "refs" or not {"", ".", ".."}.isdisjoint(parts):
            return ""
        with suppress(FileNotFoundError):
            return self._read(*parts)
        packed = (line.partition(" ") for line in self._read("packed-refs").split("\n"))
        return next((commit for commit, _, name in packed if name == ref), "")

    def _is_its_own(self) -> bool:
        with self._folder() as folder, os.scandir(folder) as entries:
            leads_away = any(entry.is_symlink() or entry.name == "commondir" for entry in entries)
        with self._folder("refs", "heads"):
            borrowed = os.fsencode(self._read("objects", "info", "alternates"))
        return not leads_away and lenders(self.repository.common, self.keeper.git_dir / "objects").strip() in borrowed

    def _stand_on(self, commit: str) -> None:
        *folders, name = self.branch.split("/")
        with self._folder("refs", "heads", *folders, make=True) as folder:
            _write(folder, name, f"{commit}\n".encode())
        with self._folder() as folder:
            # Left by a git of the agent's that was ended: nothing of it is alive now.
            for lock in _LOCKS:
                with suppress(FileNotFoundError):
                    os.unlink(lock, dir_fd=folder)
            _write(folder, "index", (self.keeper.git_dir / "index").read_bytes())

    def _read(self, *parts: str) -> str:
        with self._folder(*parts[:-1]) as folder:
            file = os.open(parts[-1], _TEXT, dir_fd=folder)
        with os.fdopen(file, "rb") as text:
            if not stat.S_ISREG(os.fstat(file).st_mode):
                return ""
            return os.fsdecode(text.read(_MOST_BYTES)).strip()

    @contextmanager
    def _folder(self, *names: str, make: bool = False) -> Iterator[int]:
        """Open a folder below `.git`, following no link on the way."""
        folder = os.open(self.git_dir, _FOLDER)
        try:
            for name in names:
                if make:
                    with suppress(FileExistsError):
                        os.mkdir(name, dir_fd=folder)
                inner = os.open(name, _FOLDER, dir_fd=folder)
                os.close(folder)
                folder = inner
            yield folder
        finally:
            os.close(folder)


def _section(name: str, values: Mapping[str, str]) -> str:
    """Write a section as git reads it."""
    quoted = (
        (key, value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")) for key, value in values.items()
    )
    return "".join([f"[{name}]\n", *(f'\t{key} = "{value}"\n' for key, value in quoted)])


def _write(folder: int, name: str, content: bytes) -> None:
    """Put a new file in the place of what is there, be it a link."""
    fresh = f"{name}.loopwright"
    with suppress(FileNotFoundError):
        os.unlink(fresh, dir_fd=folder)
    with os.fdopen(os.open(fresh, _NEW, 0o644, dir_fd=folder), "wb") as file:
        file.write(content)
    os.replace(fresh, name, src_dir_fd=folder, dst_dir_fd=folder)
