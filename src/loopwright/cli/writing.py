"""Text that a command was asked for -> a file, whole or not at all, or stdout."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path

import click

from loopwright.errors import UsageError


def write(text: str, place: Path | None, name: str) -> Path | None:
    """Write text to a file, to a file of this name in a folder, or to stdout; give the file."""
    raw = text.encode(errors="backslashreplace")  # half of a character is written as JSON has it
    if place is None:
        click.echo(raw, nl=False)
        return None
    path = place / name if place.is_dir() else place
    if not path.parent.is_dir():
        raise UsageError(f"there is no folder `{path.parent}`", "make it first, or name another file")
    handle, part = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:50]}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(raw)
        Path(part).replace(path)
    except BaseException:
        with suppress(FileNotFoundError):
            Path(part).unlink()
        raise
    return path
