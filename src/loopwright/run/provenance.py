"""A command -> whether its Python would import the user's own checkout in the place of the tree that is judged."""

from __future__ import annotations

import functools
import re
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath

from loopwright.process.tool import call

_PYTHON = re.compile(r"(python|pypy)[\d.]*")
_TIME_LIMIT_S = 20
_ASK = """
import glob, os, sys
root = sys.argv[1]
inside = [name for name in sys.path if name == root or name.startswith(root + os.sep)]
places = [os.path.join(glob.escape(folder), "__editable__*") for folder in sys.path if folder]
for name in [name for place in places for name in glob.glob(place)]:
    with open(name, encoding="utf-8", errors="replace") as file:
        if root in file.read():
            inside.append(name)
print(inside[0] if inside else "")
"""
"""An editable install puts a path on sys.path, or leaves a finder beside the packages that has it written in."""


def leads_to_checkout(argv: Sequence[str], environment: Mapping[str, str], checkout: Path) -> str:
    """Name what leads the command's Python into the checkout; empty where nothing does, or it is no Python."""
    if not _PYTHON.fullmatch(PurePosixPath(argv[0]).name):
        return ""
    program = shutil.which(argv[0], path=environment["PATH"])
    return _asked(program, environment["PATH"], str(checkout)) if program else ""


@functools.cache
def _asked(program: str, path: str, checkout: str) -> str:
    command = [program, "-c", _ASK, checkout]
    try:
        done = call(command, environment={"PATH": path}, limit_s=_TIME_LIMIT_S, folder=Path("/"))
        return done.stdout.decode().strip()
    except (OSError, UnicodeDecodeError):  # TimeoutError is an OSError
        return ""
