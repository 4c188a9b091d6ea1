"""A program of an agent's maker -> where it lies, which version it is, whom it has to reach."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path
from urllib.parse import urlsplit

from loopwright.process.tool import call

_VERSION = re.compile(r"\b\d+\.\d+\.\d+[\w.+-]*")
_LIMIT_S = 20.0
_NOWHERE = "/nonexistent"


def find_program(name: str, workspace: Path | None = None) -> str:
    """Find a program on the user's own PATH, in full; never one that the repository or the workspace brings."""
    if os.sep in name:  # it was chosen
        return str(Path(found).absolute()) if (found := shutil.which(name)) else ""
    strangers = [place for place in (_repository(Path.cwd()), workspace) if place]
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
        found = shutil.which(name, path=folder) if Path(folder).is_absolute() else None
        if found and not any(leads_into(place, found) for place in strangers):
            return found
    return ""


def leads_into(folder: Path, path: str) -> bool:
    """Whether a path is in a folder: by its name, or by where it leads."""
    return Path(path).is_relative_to(folder) or Path(path).resolve().is_relative_to(folder.resolve())


def program_to_start(name: str, workspace: Path | None = None) -> str:
    """Give a program's full path; where it is gone, one that leads nowhere: a bare name may lead into the workspace."""
    return find_program(name, workspace) or f"{_NOWHERE}/{Path(name).name}"


def version_of(program: str) -> tuple[str, str]:
    """Ask a program for its version; empty where it does not say one, and then in words what it did instead."""
    try:
        done = call([program_to_start(program), "--version"], environment=os.environ, limit_s=_LIMIT_S)
    except (OSError, TimeoutError) as error:
        return "", f"did not work ({error})"
    said = (done.stdout + b"\n" + done.stderr).decode(errors="replace").strip()
    found = _VERSION.search(said)
    return (found.group(), "") if found and not done.returncode else ("", f"said `{said[:80]}` and no version")


def is_too_old(version: str, oldest: str) -> bool:
    """Compare two versions by their numbers; one that is not known is too old."""
    return _numbers(version) < _numbers(oldest)


def host_of(url: str) -> str:
    """Give the host of an address, with its port where it has one; empty where it has none or can't be read."""
    try:
        parts = urlsplit(url)
        _ = parts.port  # ValueError where it is none
    except ValueError:
        return ""
    return parts.netloc.rpartition("@")[2].removesuffix(":").lower()


def _repository(folder: Path) -> Path | None:
    """Give the checkout that a folder is in; none where that is the home, where all programs of a user lie."""
    root = next((place for place in (folder, *folder.parents) if (place / ".git").exists()), None)
    return None if root == Path.home() else root


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version)[:3])
