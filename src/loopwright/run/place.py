"""Where a check happens: in the place of the user's checkout, or in a copy whose dependencies point at itself.

An editable install, or an npm workspace, knows the path of the checkout it was made in. So the tree is either mounted
over that very path, or the dependencies are copied and the paths in them rewritten.
"""

from __future__ import annotations

import fcntl
import hashlib
import itertools
import os
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Protocol

from loopwright.errors import SetupError
from loopwright.process.command import run_command
from loopwright.process.identity import alive, is_stopped, myself, number
from loopwright.process.limits import Limits
from loopwright.process.starting import Mount
from loopwright.run.blind_spots import delete
from loopwright.run.dependencies import FOLDERS, Dependencies

ROUND_S = 0.05
"""How often to look whether it is one's turn."""
_TRIED: dict[tuple[Path, Path, tuple[str, ...]], str] = {}
"""Repository, folder of all runs and dependencies there -> why mounting does not work; empty where it does."""


class Place(Protocol):
    """Where commands find the tree, and how they come by what git does not hold."""

    name: str
    path: Path
    """Where the tree is for those who run there."""

    @property
    def mount(self) -> Mount | None: ...

    @property
    def names(self) -> Sequence[str]:
        """The folders in the tree that are not git's."""
        ...

    def bring(self) -> object:
        """Fetch them, once the tree is there."""
        ...

    def restore(self) -> None:
        """Undo what was done to them."""
        ...


class SamePath:
    """The tree is mounted over the checkout's own path; dependencies are overlays, thrown away after every command."""

    name = "same-path"

    def __init__(self, source: Path, root: Path, scratch: Path, folders: Sequence[str]) -> None:
        self.path = source
        self.names: list[str] = []
        self._root, self._scratch, self._folders = root, scratch, folders

    @property
    def mount(self) -> Mount | None:
        self._scratch.mkdir(parents=True, exist_ok=True)
        return Mount(self._root, self.path, self._scratch, tuple(self.names))

    def bring(self) -> None:
        """Make the folders that the dependencies are mounted on."""
        for name in self._folders:
            place = self._root / name
            if (self.path / name).is_dir() and place.parent.is_dir() and not os.path.lexists(place):
                place.mkdir()
                self.names.append(name)

    def restore(self) -> None:
        for name in self.names:
            if not (self._root / name).is_dir():
                delete(self._root / name)
                (self._root / name).mkdir()


class Relocated:
    """A tree at a path of its own, with copies of the dependencies in which that path is written."""

    name = "relocate"
    mount: Mount | None = None

    def __init__(self, source: Path, root: Path, folders: Sequence[str]) -> None:
        self.path = root
        self._dependencies = Dependencies(source, root, folders)

    @property
    def names(self) -> Sequence[str]:
        return self._dependencies.names

    def bring(self) -> None:
        self._dependencies.bring()

    def restore(self) -> None:
        self._dependencies.restore()


@dataclass(frozen=True)
class Site:
    """What decides on the place, as the settings have it."""

    kind: str = "relocate"
    """auto, same-path or relocate."""
    folders: tuple[str, ...] = FOLDERS
    reset: str = ""
    """A command to run before every check."""
    setup: str = ""
    """A command that makes the environment in a fresh checkout; empty: the user's own checkout has it."""
    slots: int = 1
    cache: Path | None = None
    """Where the locks of the slots are; None: nobody else is there."""
    limits: Limits = Limits()
    """What one command may use."""

    @contextmanager
    def slot(self, repository: Path, cancel: threading.Event) -> Iterator[int]:
        """Wait for a turn: only so many checks run at a time in a repository, for their ports and databases."""
        if self.cache is None:
            yield 1
            return
        folder = self.cache / "slots" / hashlib.sha256(os.fsencode(repository)).hexdigest()[:16]
        folder.mkdir(parents=True, exist_ok=True)
        with ExitStack() as stack:
            while not cancel.is_set():
                for slot in range(1, self.slots + 1):
                    if turn := _turn(folder, slot):
                        stack.enter_context(turn)
                        yield slot
                        return
                cancel.wait(ROUND_S)
            yield 0  # cancelled: what is run is ended at once

    def place(self, source: Path, root: Path, scratch: Path) -> Place:
        """Find the place for a tree at `root`: the best that works on this machine."""
        if self.kind != "relocate":
            trouble = cannot_mount(source, scratch, self.folders)
            if not trouble:
                return SamePath(source, root, scratch, self.folders)
            if self.kind == "same-path":
                hint = 'set [checks] place = "auto" or "relocate"'
                raise SetupError(f"the checks can't be run at `{source}` itself: {trouble}", hint)
        return Relocated(source, root, self.folders)


def take(lock: IO[str]) -> bool:
    """Lock an open file until it is closed; False where somebody else has."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _turn(folder: Path, slot: int) -> IO[str] | None:
    """Lock a slot until the file is closed. One whose holder was stopped (Ctrl-Z) is taken beside it, by one alone."""
    for beside in itertools.count():
        lock = (folder / f"{slot}.{beside}.lock").open("a+")
        if take(lock):
            lock.truncate(0)
            lock.write(myself())
            lock.flush()
            return lock
        with lock:
            lock.seek(0)
            holder = lock.read()
        if not (holder and alive(holder) and is_stopped(number(holder))):
            break
    return None


def cannot_mount(source: Path, scratch: Path, folders: tuple[str, ...]) -> str:
    """Try it, overlays and all, and say why it does not work; empty where it does."""
    if scratch.is_relative_to(source) or source.is_relative_to(scratch.parent):
        return f"the cache folder `{scratch.parent}` is inside of the repository, or around it"
    found = tuple(name for name in folders if (source / name).is_dir() and "/" not in name)
    # All runs have their folders side by side: what works for one works for the next.
    where = (source, scratch.parent.parent, found)
    if where not in _TRIED:
        _TRIED[where] = _try_mount(source, scratch, found)
    return _TRIED[where]


def _try_mount(source: Path, scratch: Path, found: tuple[str, ...]) -> str:
    tree = scratch.with_name("tried")
    for folder in (scratch, tree, *(tree / name for name in found)):
        folder.mkdir(parents=True, exist_ok=True)
    mount = Mount(tree, source, scratch, found)
    tried = run_command(["true"], cwd=scratch, env=dict(os.environ), timeout_s=20, mount=mount)
    delete(tree)
    return "" if tried.exit_code == 0 else tried.output.strip() or "namespaces are not allowed here"
