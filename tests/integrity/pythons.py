"""The interpreter of the small projects: it has pytest and nothing else, and starts in a third of the time of ours."""

from __future__ import annotations

import fcntl
import hashlib
import os
import subprocess
import sys
import sysconfig
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

CACHE = Path.home() / ".cache" / "loopwright-tests"
"""Shared by all runs of the tests; asked for before a test has a home of its own."""
_LIBRARIES = ("pytest", "_pytest", "pluggy", "iniconfig", "packaging", "pygments", "py.py", "xdist", "execnet")
_BACK_ENDS = ("setuptools", "wheel", "hatchling", "editables", "meson-python", "meson", "ninja", "scikit-build-core")
_HOME = CACHE / f"python-{hashlib.sha256(repr((sys.prefix, _LIBRARIES)).encode()).hexdigest()[:8]}"
PYTHON = str(_HOME / "bin" / "python")


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


def install_editable(project: Path, backend: str, packages: Path) -> None:
    """Do what `pip install --editable` does, without pip: have the back end make its wheel, and unpack it."""
    folder = project.parent / "wheel"
    folder.mkdir()
    programs = _builders() / "bin"
    code = f"import {backend} as backend; backend.build_editable({str(folder)!r})"
    path = {"PATH": f"{programs}:{os.environ['PATH']}"}
    subprocess.run(
        [programs / "python", "-c", code], cwd=project, env=os.environ | path, capture_output=True, check=True
    )
    with zipfile.ZipFile(next(folder.glob("*.whl"))) as wheel:
        wheel.extractall(packages)


def _builders() -> Path:
    """Have the build back ends, fetched once."""
    folder = CACHE / f"back-ends-{_HOME.name}"
    with locked(folder):
        if not (folder / "ready").exists():
            subprocess.run([sys.executable, "-m", "venv", "--without-pip", "--clear", str(folder)], check=True)
            pip = [sys.executable, "-m", "pip", "--python", str(folder / "bin" / "python"), "install", "--quiet"]
            subprocess.run([*pip, *_BACK_ENDS], check=True)
            (folder / "ready").touch()
    return folder


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keep other runs of the tests out while something is made that they share."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with folder.with_suffix(".lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
