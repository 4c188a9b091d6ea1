"""Paths that somebody named -> the files below them, as they are now."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from loopwright.errors import UsageError

_PASSED_OVER = frozenset({".git", "node_modules", ".venv", "__pycache__"})


@dataclass(frozen=True)
class Found:
    """A file, and whether it is still the one that was read."""

    path: Path
    size: int
    mtime_ns: int


def find_files(paths: Iterable[Path], unreadable: Callable[[OSError], None] = lambda error: None) -> Iterator[Found]:
    """Give every file once; links to folders are not followed, and `unreadable` hears of folders that are shut."""
    seen: set[str] = set()
    for path in paths:
        if not path.exists():
            raise UsageError(f"there is no `{path}`", "name a file or a folder with the sessions of an agent")
        for found in _below(Path(os.path.realpath(path)), unreadable):
            if str(found.path) not in seen:
                seen.add(str(found.path))
                yield found


def _below(path: Path, unreadable: Callable[[OSError], None]) -> Iterator[Found]:
    if not path.is_dir():
        yield from _found(path)
        return
    for folder, folders, names in os.walk(path, onerror=unreadable):
        folders[:] = sorted(name for name in folders if name not in _PASSED_OVER)
        for name in sorted(names):
            yield from _found(Path(folder, name))


def _found(path: Path) -> Iterator[Found]:
    try:
        told = path.stat()
    except OSError:
        return
    if stat.S_ISREG(told.st_mode) and told.st_size:
        yield Found(path, told.st_size, told.st_mtime_ns)
