"""Files below one folder, for a model: nothing outside is reached, nothing is waited for, nothing is too big."""

from __future__ import annotations

import os
import stat
from pathlib import Path

FILE_LIMIT = 10_000_000
"""Bytes of a file that is read or written."""


class Denied(ValueError):
    """It is not below the folder."""


class Enclosure:
    """A folder that is not left, also through a link."""

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()

    def path(self, name: str) -> Path:
        """Give the place of a file, resolved; Denied where that is outside."""
        path = (self.root / name).resolve()
        if not path.is_relative_to(self.root):
            raise Denied(f"`{name}` is outside of the repository")
        return path

    def read(self, name: str) -> bytes:
        """Read a file; ValueError where it is none, or too big."""
        path = self.path(name)
        # A pipe would be waited for, without this.
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        with os.fdopen(handle, "rb") as file:
            _see_that_it_is_a_file(path, os.fstat(handle).st_mode)
            content = file.read(FILE_LIMIT + 1)
        if len(content) > FILE_LIMIT:
            raise ValueError(f"`{name}` has more than {FILE_LIMIT:,} bytes: look at it with a command")
        return content

    def write(self, name: str, content: bytes) -> None:
        """Write a whole file, with the folders above it."""
        path = self.path(name)
        if len(content) > FILE_LIMIT:
            raise ValueError(f"that is more than {FILE_LIMIT:,} bytes")
        if path.exists():
            _see_that_it_is_a_file(path, path.stat().st_mode)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def _see_that_it_is_a_file(path: Path, mode: int) -> None:
    if not stat.S_ISREG(mode):
        raise ValueError(f"`{path.name}` is no file")
