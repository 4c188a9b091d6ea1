"""A run's clones over a user's repository, and what a test compares: files, commits, all of a `.git` folder."""

from __future__ import annotations

import hashlib
import io
import os
import shlex
import subprocess
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from loopwright.run.checkroom import Checkroom
from loopwright.run.exam import Examiner
from loopwright.run.git import Repository
from loopwright.run.protected import Protection
from loopwright.run.tree import Tree
from loopwright.run.workspace import Snapshot, Workspace

RUN = "01890000-0000-7000-8000-00000000abcd"
BRANCH = f"loopwright/{RUN}"
OURS = (f"refs/heads/{BRANCH}", f"logs/refs/heads/{BRANCH}")

Files = dict[bytes, tuple[str, bytes]]
"""Name -> kind (`file`, `program`, `link`) and content."""


def git(folder: Path, *arguments: str, **environment: str) -> str:
    """Run git as a person or an agent would."""
    done = subprocess.run(
        ["git", "-C", str(folder), *arguments], capture_output=True, env={**os.environ, **environment}, check=False
    )
    assert done.returncode == 0, done.stderr.decode(errors="replace")
    return done.stdout.decode(errors="surrogateescape").strip()


@dataclass
class Clone:
    """The workspace and the checkroom of one run."""

    root: Path
    folder: Path
    commit: str = ""
    workspace: Workspace = field(init=False)
    room: Checkroom = field(init=False)

    def __post_init__(self) -> None:
        self.open()

    def open(self) -> None:
        """Begin anew, as another process would that takes the run up."""
        repository = Repository.find(self.root)
        self.workspace = Workspace(repository, self.folder, RUN, BRANCH)
        objects = self.workspace.keeper.git_dir / "objects"
        self.room = Checkroom(repository, self.folder, objects, threading.Event())

    def examiner(self) -> Examiner:
        """Give one that protects the usual."""
        tree = Tree(self.workspace.keeper.git_dir, self.files, self.folder / "exam.index")
        return Examiner(tree, self.commit, Protection(lambda _: False))

    @property
    def files(self) -> Path:
        return self.workspace.files

    @property
    def home(self) -> str:
        """The run's branch as the user's repository has it."""
        return git(self.root, "rev-parse", f"refs/heads/{BRANCH}")

    def prepare(self, base: str = "HEAD") -> str:
        self.commit = self.workspace.prepare(self.workspace.repository.commit(base))
        return self.commit

    def snapshot(self, message: str = "an attempt") -> Snapshot:
        taken = self.workspace.snapshot(self.commit, message)
        self.workspace.wait()
        self.commit = taken.commit
        return taken

    def git(self, *arguments: str) -> str:
        """Run git in the workspace, as the agent would."""
        return git(self.files, *arguments)

    def shell(self, script: str) -> str:
        """Run a script in the checkroom, where it must succeed, and give what it printed."""
        done = self.room.run(f"sh -c {shlex.quote(script)}", shell=False, timeout_s=30)
        assert done.exit_code == 0, done.output
        return done.output

    def taken(self) -> Files:
        """What the last snapshot holds, as read from the user's repository."""
        return files_at(self.root, self.commit)


def files_in(folder: Path) -> Files:
    """Read all files of a folder that git could hold."""
    return {os.fsencode(path.relative_to(folder)): _content(path) for path in _below(folder) if _is_plain(path)}


def files_at(folder: Path, commit: str) -> Files:
    """Read all files of a commit, as they are stored."""
    done = subprocess.run(["git", "-C", str(folder), "ls-tree", "-rz", commit], capture_output=True, check=True)
    lines = [line.split(b"\t", 1) for line in done.stdout.split(b"\0") if b" blob " in line]
    blobs = b"".join(meta.split()[2] + b"\n" for meta, _ in lines)
    argv = ["git", "-C", str(folder), "cat-file", "--batch"]
    shown = io.BytesIO(subprocess.run(argv, input=blobs, capture_output=True, check=True).stdout)
    found: Files = {}
    for meta, name in lines:
        size = int(shown.readline().split()[2])
        found[name] = {b"100644": "file", b"100755": "program", b"120000": "link"}[meta[:6]], shown.read(size)
        shown.readline()
    return found


def fingerprint(root: Path) -> dict[str, object]:
    """Read all that must stay as it is: every file of `.git` but new objects and the run's branch; every other file."""
    git_dir = Path(git(root, "rev-parse", "--path-format=absolute", "--git-dir"))
    common = Path(git(root, "rev-parse", "--path-format=absolute", "--git-common-dir"))
    seen: dict[str, object] = {}
    for folder in {git_dir, common, root}:
        for path in _below(folder, with_git=folder != root):
            name = str(path.relative_to(folder))
            if not name.startswith(OURS) and "objects" not in path.relative_to(folder).parts:
                seen[f"{folder} {name}"] = _stamp(path)
    seen["refs"] = [line for line in git(root, "for-each-ref").splitlines() if BRANCH not in line]
    seen["objects"] = sorted(path.name for path in (common / "objects" / "info").glob("*"))
    seen["stray"] = [str(path) for path in common.rglob("*") if path.name.endswith(".lock") or "tmp_" in path.name]
    return seen


def _below(folder: Path, with_git: bool = False) -> Iterator[Path]:
    for parent, folders, names in os.walk(folder):
        links = [name for name in folders if (Path(parent) / name).is_symlink()]
        folders[:] = [name for name in folders if name not in links and (with_git or name != ".git")]
        yield from (Path(parent) / name for name in (*names, *links) if with_git or name != ".git")


def _is_plain(path: Path) -> bool:
    return path.is_symlink() or path.is_file()


def _content(path: Path) -> tuple[str, bytes]:
    if path.is_symlink():
        return "link", os.fsencode(path.readlink())
    return "program" if path.stat().st_mode & 0o100 else "file", path.read_bytes()


def _stamp(path: Path) -> tuple[object, ...]:
    status = path.lstat()
    content = _content(path)[1] if _is_plain(path) else b""
    return oct(status.st_mode), status.st_mtime_ns, hashlib.sha256(content).hexdigest()
