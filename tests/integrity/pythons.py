"""The interpreter of the small projects: it has pytest and nothing else, and starts in a third of the time of ours."""

from __future__ import annotations

import fcntl
import hashlib
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

CACHE = Path.home() / ".cache" / "loopwright-tests"
"""Shared by all runs of the tests; asked for before a test has a home of its own."""
_HOME = CACHE / f"python-{hashlib.sha256(sys.prefix.encode()).hexdigest()[:8]}"
PYTHON = str(_HOME / "bin" / "python")
_LIBRARIES = ("pytest", "_pytest", "pluggy", "iniconfig", "packaging", "pygments", "py.py")


def make_python() -> None:
    """Make it, once."""
    with locked(_HOME):
        if not (_HOME / "ready").exists():
            make_venv(_HOME)
            (_HOME / "ready").touch()


def make_venv(folder: Path) -> Path:
    """Make a virtual environment that has pytest, and give the folder of its packages."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", "--clear", str(folder)], check=True)
    packages = next(folder.glob("lib/python*/site-packages"))
    for name in _LIBRARIES:
        (packages / name).symlink_to(Path(sysconfig.get_path("purelib")) / name)
    return packages


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keep other runs of the tests out while something is made that they share."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with folder.with_suffix(".lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
