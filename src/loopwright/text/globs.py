"""Globs over paths of a repository: `*` stays within a folder, `**` does not, and a folder stands for all in it."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable


def matches_any(globs: Iterable[str], path: str) -> bool:
    """Whether one of the globs names the path, or a folder that it lies in."""
    return any(_compiled(glob).match(path) for glob in globs)


@functools.cache
def _compiled(glob: str) -> re.Pattern[str]:
    glob = glob.removeprefix("./").rstrip("/")
    # A name without a slash is meant wherever it lies, as in .gitignore.
    anywhere = "" if "/" in glob else r"(?:.*/)?"
    return re.compile(rf"{anywhere}{_translated(glob.removeprefix('/'))}(?:/.*)?\Z", re.DOTALL)


def _translated(glob: str) -> str:
    parts = {"**/": r"(?:.*/)?", "**": r".*", "*": r"[^/]*", "?": r"[^/]"}
    found = re.split(r"(\*\*/|\*\*|\*|\?)", glob)
    return "".join(parts.get(part, re.escape(part)) for part in found)
