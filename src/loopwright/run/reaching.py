"""A file below a folder that somebody else writes to: reached without following a link."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW


@contextmanager
def reached(root: Path, name: str, *, make: bool = False, owner: int | None = None) -> Iterator[tuple[int, str]]:
    """Give the open folder that a path leads to, and its last part; `make` makes the folders on the way."""
    parts = PurePosixPath(name).parts
    if not parts or parts[0] == "/" or ".." in parts:
        raise OSError(f"`{name}` leaves the folder")
    folder = os.open(root, _FOLDER)
    try:
        for part in parts[:-1]:
            if make:
                with suppress(FileExistsError):
                    os.mkdir(part, 0o755, dir_fd=folder)
                    _give(folder, part, owner)
            inner = os.open(part, _FOLDER, dir_fd=folder)
            os.close(folder)
            folder = inner
        yield folder, parts[-1]
    finally:
        os.close(folder)


def read_file(folder: int, name: str, limit: int) -> bytes | None:
    """Read a regular file of at most so many bytes; None where it is something else, or larger."""
    with os.fdopen(os.open(name, _FILE, dir_fd=folder), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            return None
        content = file.read(limit + 1)
    return content if len(content) <= limit else None


def write_file(folder: int, name: str, content: bytes, mode: int = 0o644, owner: int | None = None) -> None:
    """Put a new file in the place of what is there, be it a link."""
    fresh = f"{name}.loopwright"
    with suppress(FileNotFoundError):
        os.unlink(fresh, dir_fd=folder)
    with os.fdopen(os.open(fresh, _NEW, mode, dir_fd=folder), "wb") as file:
        file.write(content)
    _give(folder, fresh, owner)
    os.replace(fresh, name, src_dir_fd=folder, dst_dir_fd=folder)


def _give(folder: int, name: str, owner: int | None) -> None:
    if owner is not None:
        os.chown(name, owner, owner, dir_fd=folder, follow_symlinks=False)
