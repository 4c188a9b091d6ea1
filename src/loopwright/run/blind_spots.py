"""What git does not see or trips over in a folder that somebody else has written to.

It never lists a `.git`, nor pipes and sockets; it takes a repository inside of another for a link; and it waits for
ever at a pipe where it looks for a text of its own.
"""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path


def clear_pipes(root: Path) -> tuple[list[str], list[str]]:
    """Remove what git would wait at. Give what was removed, and the folders that are repositories of their own."""
    removed, nested = list[str](), list[str]()
    for entry in _named_for_git(root):
        suspect = entry.path
        if entry.name == ".git":
            nested.append(os.path.relpath(entry.path.removesuffix("/.git"), root))
            suspect = f"{entry.path}/HEAD"
        if _blocks(suspect):
            # Behind a link it is somebody else's: the link goes, and not what it leads to.
            Path(entry.path if entry.is_symlink() else suspect).unlink()
            removed.append(os.path.relpath(suspect, root))
    return removed, [folder for folder in nested if folder != "."]


def sweep(root: Path, tracked: Mapping[str, str], keep: Collection[str]) -> None:
    """Remove all that is not tracked (see Tree.entries), whatever it is; `keep` names entries of the root to leave."""
    if root.is_symlink() or root.parent.is_symlink():
        raise NotADirectoryError(f"`{root}` is a link: what is behind it is not ours to remove")
    folders = {path.rpartition("/")[0] for path in tracked}
    for path in list(folders):
        while path := path.rpartition("/")[0]:
            folders.add(path)
    _sweep(root, "", tracked, folders, keep)


def delete(path: Path) -> None:
    """Remove a file, a link or a folder with all that is in it, also where folders were made read-only."""
    if path.is_symlink() or not path.is_dir():
        path.unlink(missing_ok=True)
        return
    try:
        shutil.rmtree(path)
    except OSError:
        path.chmod(stat.S_IRWXU)
        for parent, folders, _ in os.walk(path):
            for inner in (Path(parent, name) for name in folders):
                if not inner.is_symlink():
                    inner.chmod(stat.S_IRWXU)
        shutil.rmtree(path)


def _sweep(
    root: Path, inside: str, tracked: Mapping[str, str], folders: Collection[str], keep: Collection[str]
) -> None:
    for entry in _entries(root / inside):
        name = f"{inside}/{entry.name}" if inside else entry.name
        if name in keep:
            continue
        if not entry.is_dir(follow_symlinks=False):
            is_right = tracked.get(name) == "" and (entry.is_symlink() or entry.is_file())
        elif is_right := name in folders:
            _sweep(root, name, tracked, folders, keep)
        else:
            is_right = bool(tracked.get(name))
        if not is_right:
            delete(Path(entry.path))


def any_larger(root: Path, size: int, outside: Collection[str]) -> bool:
    """Say whether a file is larger than a size; `outside` names entries of the root that are not looked into."""
    folders = [str(root)]
    while folders:
        folder = folders.pop()
        for entry in _entries(Path(folder)):
            if entry.is_dir(follow_symlinks=False):
                ours = folder == str(root) and (entry.name == ".git" or entry.name in outside)
                if not ours and not _is_too_deep(entry.path):
                    folders.append(entry.path)
            elif entry.stat(follow_symlinks=False).st_size > size:
                return True
    return False


def _named_for_git(root: Path) -> Iterator[os.DirEntry[str]]:
    """Go through all folders but the `.git` ones, and give what git looks for."""
    folders = [str(root)]
    while folders:
        for entry in _entries(Path(folders.pop())):
            if entry.name.startswith(".git"):
                yield entry
            if entry.name != ".git" and entry.is_dir(follow_symlinks=False) and not _is_too_deep(entry.path):
                folders.append(entry.path)


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    """List a folder, which is opened for us where it was closed: git does not keep that, and can't work with it."""
    mode = stat.S_IMODE(folder.stat().st_mode)
    if mode & stat.S_IRWXU != stat.S_IRWXU:
        folder.chmod(mode | stat.S_IRWXU)
    with os.scandir(folder) as entries:
        return list(entries)


def _is_too_deep(path: str) -> bool:
    """Whether a path is longer than the system takes: git can't reach it either, and leaves it out."""
    return len(os.fsencode(path)) > 4000


def _blocks(path: str) -> bool:
    try:
        mode = Path(path).stat().st_mode
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))
