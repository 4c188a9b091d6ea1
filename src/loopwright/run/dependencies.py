"""What a project needs and git does not hold (.venv, node_modules): a copy for every clone, which points at itself.

A virtual environment knows the folder it was made in: scripts, .pth files and editable installs name it. In a plain
copy or a link they would still lead to the user's checkout, and the tests would import the wrong code.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import stat
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

from loopwright.errors import RepositoryError
from loopwright.process.programs import leads_into
from loopwright.run.blind_spots import delete

FOLDERS = (".venv", "venv", "node_modules")

_TEXT_LIMIT = 1_000_000

Stamp = tuple[int, ...]
"""What tells that a file was touched: nobody can set back the time of its last change."""


@dataclass(frozen=True)
class Dependencies:
    """The copies of one clone, and what they looked like when they were made."""

    source: Path
    target: Path
    folders: Sequence[str] = FOLDERS
    _stamps: dict[str, Stamp] = field(default_factory=dict)

    @property
    def names(self) -> list[str]:
        return [name for name in self.folders if name in self._stamps]

    def bring(self) -> list[str]:
        """Copy the folders that the target does not have; give their names."""
        missing = [
            name
            for name in self.folders
            if _is_folder(self.source / name)
            and not _is_there(self.target / name)
            and _is_folder((self.target / name).parent)
        ]
        for name in missing:
            self._copy(name)
            for inner, _ in _stamps(self.source, name):
                self._copy(inner)
        self._stamps.update(stamp for name in missing for stamp in self._seen(name))
        return missing

    def restore(self) -> None:
        """Undo what was done to the copies since."""
        now = dict(stamp for name in self.names if _is_folder(self.target / name) for stamp in self._seen(name))
        for name in now.keys() - self._stamps.keys():
            delete(self.target / name)
        for name in [name for name, stamp in self._stamps.items() if now.get(name) != stamp]:
            self._copy(name)
            self._stamps[name] = _stamp((self.target / name).lstat())

    def _seen(self, name: str) -> Iterator[tuple[str, Stamp]]:
        yield name, _stamp((self.target / name).lstat())
        yield from _stamps(self.target, name)

    def _copy(self, name: str) -> None:
        source, target = self.source / name, self.target / name
        try:
            if not (_is_folder(source) and _is_folder(target)):
                delete(target)
            if source.is_symlink():
                target.symlink_to(self._goal(source))
            elif source.is_dir():
                target.mkdir(exist_ok=True)
                target.chmod(source.stat().st_mode | stat.S_IRWXU)
            elif source.is_file():
                self._copy_file(source, target)
        except OSError as error:
            raise RepositoryError(f"`{source}` could not be copied: {error}") from None

    def _copy_file(self, source: Path, target: Path) -> None:
        # One that can't be read is no use to the tests either.
        with suppress(PermissionError):
            shutil.copy2(source, target)
            if _names_its_folder(target):
                _rewrite(target, self.source, self.target)

    def _goal(self, link: Path) -> Path:
        """Where a link has to lead in the copy: into the clone, or to the same place outside of it."""
        said = link.readlink()
        goal = Path(os.path.normpath(link.parent / said))
        if not goal.is_relative_to(self.source):
            return goal
        mine = self.target / goal.relative_to(self.source)
        is_mine = any(mine.is_relative_to(self.target / name) for name in self.folders) or _is_there(mine)
        if not is_mine:
            return goal
        return mine if said.is_absolute() else said


def dependency_folders(root: Path, more: Sequence[str] = ()) -> tuple[str, ...]:
    """Name the folders that a project may need: the usual ones, those of its npm workspaces, and what else is asked."""
    return tuple(dict.fromkeys((*FOLDERS, *_of_workspaces(root), *more)))


def _of_workspaces(root: Path) -> Iterator[str]:
    try:
        said = json.loads((root / "package.json").read_bytes()).get("workspaces", [])
        globs = said.get("packages", []) if isinstance(said, dict) else said
        for glob in globs:
            yield from sorted(
                str(found.relative_to(root))
                for found in root.glob(f"{glob.strip('/')}/node_modules")
                if _is_folder(found)
            )
    except (OSError, ValueError, AttributeError, TypeError, NotImplementedError):
        return  # no package.json, or not one of npm's


def all_stamps(root: Path, folders: Sequence[str]) -> dict[str, Stamp]:
    """Go through the folders that are there."""
    return dict(stamp for name in folders if _is_folder(root / name) for stamp in _stamps(root, name))


def binaries(place: Path) -> list[str]:
    """The folders of programs that the project brings, for the front of PATH."""
    candidates = (place / ".venv" / "bin", place / "venv" / "bin", place / "node_modules" / ".bin")
    return [str(path) for path in candidates if path.is_dir()]


def project_path(repository: Path, place: Path) -> str:
    """PATH with the place's own programs first, and nothing relative or from the user's checkout."""
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    outside = [name for name in folders if Path(name).is_absolute() and not leads_into(repository, name)]
    return os.pathsep.join([*binaries(place), *outside])


def _stamps(root: Path, name: str) -> Iterator[tuple[str, Stamp]]:
    """Go through a folder, following no link: the path of each entry from the root, and its stamp."""
    with os.scandir(root / name) as entries:
        found = sorted(entries, key=lambda entry: entry.name)
    for entry in found:
        status = entry.stat(follow_symlinks=False)
        yield f"{name}/{entry.name}", _stamp(status)
        if stat.S_ISDIR(status.st_mode):
            yield from _stamps(root, f"{name}/{entry.name}")


def _stamp(status: os.stat_result) -> Stamp:
    if stat.S_ISDIR(status.st_mode):
        return (status.st_mode,)
    return status.st_mode, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def _is_folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()


def _is_there(path: Path) -> bool:
    return path.exists() or path.is_symlink()


def _names_its_folder(path: Path) -> bool:
    if path.parent.name in ("bin", ".bin") or "editable" in path.name or path.name == "pyvenv.cfg":
        return path.stat().st_size < _TEXT_LIMIT
    return path.suffix in (".pth", ".egg-link") or path.name == "direct_url.json"


def _rewrite(path: Path, old: Path, new: Path) -> None:
    before = path.read_bytes()
    if b"\0" in before:
        return
    after = _replaced(before, os.fsencode(old), os.fsencode(new))
    if (url := quote(os.fsencode(old)).encode()) != os.fsencode(old):
        after = _replaced(after, url, quote(os.fsencode(new)).encode())
    if after != before:
        path.write_bytes(after)


def _replaced(content: bytes, old: bytes, new: bytes) -> bytes:
    # Not where it is a part of another name: /home/ada/project-2 stays.
    whole = rb"(?<![\w.\-\x80-\xff])" + re.escape(old) + rb"(?![\w.\-\x80-\xff])"
    return re.sub(whole, lambda _: new, content)
