"""A command through the listener, and what that heard."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from loopwright.run.dependencies import project_path
from loopwright.run.runners import listener
from loopwright.run.runners.report import read_json
from loopwright.run.runners.runner import Equipped

_REPORT = "heard.json"


@dataclass(frozen=True)
class Heard:
    """What a command printed that matters, to its end."""

    exit_code: int
    lines: tuple[str, ...]


def through_listener(
    argv: Sequence[str],
    root: Path,
    folder: Path,
    kind: Literal["go", "go-quiet", "cargo"],
    environment: Mapping[str, str],
) -> Equipped:
    """Run a command through the listener; one whose program is missing is left alone, so that this is seen."""
    program = str(root / argv[0]) if "/" in argv[0] else argv[0]
    if shutil.which(program, path=project_path(root, root)) is None:
        return Equipped(argv, environment)
    return Equipped(
        [sys.executable, "-I", str(listener.__file__), str(folder / _REPORT), kind, *argv],
        environment,
    )


def heard(folder: Path) -> Heard | None:
    """Read what the listener left; None where it never came to the end of the command."""
    found = read_json(folder / _REPORT)
    if not isinstance(found, dict):
        return None
    code, lines = found.get("exit_code"), found.get("lines")
    if type(code) is not int or not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
        return None
    return Heard(code, tuple(lines))
