"""What a project needs and git does not hold (.venv, node_modules): a copy for every clone, which points at itself.

A virtual environment knows the folder it was made in: scripts, .pth files and editable installs name it. In a plain
copy or a link they would still lead to the user's checkout, and the tests would import the wrong code.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

FOLDERS = (".venv", "venv", "node_modules")

_TEXT_LIMIT = 1_000_000


def bring_dependencies(source: Path, target: Path) -> None:
    """Copy the dependency folders that the target does not have, with the paths in them rewritten."""
    for name in FOLDERS:
        if (source / name).is_dir() and not (source / name).is_symlink() and not (target / name).exists():
            shutil.copytree(source / name, target / name, symlinks=True, ignore=_no_bytecode)
            _rewrite(target / name, str(source), str(target))


def binaries(place: Path) -> list[str]:
    """The folders of programs that the project brings, for the front of PATH."""
    candidates = (place / ".venv" / "bin", place / "venv" / "bin", place / "node_modules" / ".bin")
    return [str(path) for path in candidates if path.is_dir()]


def project_path(repository: Path, place: Path) -> str:
    """PATH with the place's own programs first, and nothing relative or from the user's checkout."""
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    outside = [name for name in folders if os.path.isabs(name) and not Path(name).is_relative_to(repository)]
    return os.pathsep.join([*binaries(place), *outside])


def _no_bytecode(_: str, names: list[str]) -> set[str]:
    return {"__pycache__"} & set(names)


def _rewrite(folder: Path, old: str, new: str) -> None:
    for parent, folders, names in os.walk(folder):
        for name in (*folders, *names):
            path = Path(parent) / name
            if path.is_symlink():
                _rewrite_link(path, old, new)
            elif path.is_file() and _names_its_folder(path):
                _rewrite_text(path, old.encode(), new.encode())


def _names_its_folder(path: Path) -> bool:
    if path.parent.name == "bin" or path.name.startswith("__editable__") or path.name == "pyvenv.cfg":
        return path.stat().st_size < _TEXT_LIMIT
    return path.suffix in (".pth", ".egg-link") or path.name == "direct_url.json"


def _rewrite_link(path: Path, old: str, new: str) -> None:
    goal = os.readlink(path)
    if goal == old or goal.startswith(old + os.sep):
        path.unlink()
        path.symlink_to(new + goal[len(old) :])


def _rewrite_text(path: Path, old: bytes, new: bytes) -> None:
    content = path.read_bytes()
    if old in content and b"\0" not in content:
        path.write_bytes(content.replace(old, new))
