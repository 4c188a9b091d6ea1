"""What a package.json says: scripts and workspaces."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from loopwright.run.runners.report import read_json

_LIMIT = 10_000
"""No script is that long."""


def workspace(root: Path, said: str) -> Path:
    """Find a workspace by its folder or its name; a folder that is not there where there is none."""
    if (root / said / "package.json").is_file():
        return root / said
    patterns = _package(root).get("workspaces")
    patterns = patterns.get("packages") if isinstance(patterns, dict) else patterns
    for pattern in patterns if isinstance(patterns, list) else ():
        if isinstance(pattern, str) and re.fullmatch(r"(?:[\w@.-]+/)*[\w@.-]*\*?/?", pattern) and ".." not in pattern:
            for place in sorted(root.glob(pattern)):
                if _package(place).get("name") == said:
                    return place
    return root / "no such workspace"


def script(folder: Path, name: str) -> str | None:
    """Give what a script runs; None where there is no such script."""
    scripts = _package(folder).get("scripts")
    found = scripts.get(name) if isinstance(scripts, dict) else None
    return found if isinstance(found, str) and len(found) < _LIMIT else None


def _package(folder: Path) -> dict[str, Any]:
    found = read_json(folder / "package.json")
    return found if isinstance(found, dict) else {}
