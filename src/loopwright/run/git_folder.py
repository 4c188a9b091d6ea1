"""Empty git folders, which borrow the objects of others."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

_CONFIGS: dict[tuple[tuple[str, str], int], bytes] = {}
"""Kind and file system -> the config of an empty git folder, as git itself makes it."""


def make_folder(git_dir: Path, kind: tuple[str, str], make: Callable[[], None]) -> None:
    """Make one. The first of its kind is made by git, which tries the file system; all others are made like that."""
    git_dir.parent.mkdir(parents=True, exist_ok=True)
    known, is_new = (kind, git_dir.parent.stat().st_dev), not os.path.lexists(git_dir)
    if known not in _CONFIGS or not is_new:
        make()
        if is_new:  # what was there before may have a config of somebody else's
            _CONFIGS[known] = (git_dir / "config").read_bytes()
        return
    for folder in ("objects", "refs"):
        (git_dir / folder).mkdir(parents=True)
    (git_dir / "HEAD").write_text("ref: refs/heads/main\n")
    (git_dir / "config").write_bytes(_CONFIGS[known])


def borrow(git_dir: Path, common: Path, *more_objects: Path) -> None:
    """Let a git folder read the objects of the user's repository, and know where its history is cut."""
    (git_dir / "objects" / "info").mkdir(parents=True, exist_ok=True)
    (git_dir / "objects" / "info" / "alternates").write_bytes(lenders(common, *more_objects))
    shallow = common / "shallow"
    if shallow.is_file():
        (git_dir / "shallow").write_bytes(shallow.read_bytes())


def lenders(common: Path, *more_objects: Path) -> bytes:
    """Name the folders of objects as git wants it."""
    return b"".join(_quoted(os.fsencode(path)) + b"\n" for path in (common / "objects", *more_objects))


def _quoted(path: bytes) -> bytes:
    # A path that starts with a quote or a hash, or holds a newline, has to be written as a C string.
    if not path.startswith((b'"', b"#")) and b"\n" not in path:
        return path
    return b'"' + path.replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\n", b"\\n") + b'"'
