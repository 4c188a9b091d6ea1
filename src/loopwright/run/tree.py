"""A git folder of ours over a folder of files: what it holds, and what differs."""

from __future__ import annotations

import functools
import os
from dataclasses import dataclass
from pathlib import Path

from loopwright.process.tool import Done
from loopwright.run.git import BLANK, FETCH, LARGEST, TIME_LIMIT_S, Repository, call, clean_environment, init
from loopwright.run.git_folder import borrow, make_folder

_IDENTITY = {
    f"GIT_{role}_{part}": value
    for role in ("AUTHOR", "COMMITTER")
    for part, value in (("NAME", "Loopwright"), ("EMAIL", "loopwright@localhost"))
}

TREES: dict[str, str] = {}
"""Commit -> the hash of its tree, as far as it was asked for or made by us."""
_ENTRIES: dict[str, dict[str, str]] = {}
"""Tree -> what it holds (see Tree.entries), of the last few."""
_MOST_ENTRIES = 4
_STATS: dict[tuple[str, str], str] = {}
"""Two trees -> what differs, in words."""


@dataclass(frozen=True)
class Tree:
    """A git folder of ours over a folder of files: nothing that lies among the files can steer it."""

    git_dir: Path
    files: Path
    index: Path | None = None
    """Another than the git folder's own, for trees that are put together and never checked out."""

    @staticmethod
    def make(git_dir: Path, files: Path, repository: Repository, *more_objects: Path) -> Tree:
        """Make an empty one that borrows the objects of the user's repository (and of others)."""
        tree = Tree(git_dir, files)
        with_bare = functools.partial(init, repository, "--bare", str(git_dir), environment=tree.environment)
        make_folder(git_dir, ("bare", repository.object_format), with_bare)
        borrow(git_dir, repository.common, *more_objects)
        files.mkdir(parents=True, exist_ok=True)
        return tree

    @property
    def environment(self) -> dict[str, str]:
        home = {"HOME": str(self.git_dir), "XDG_CONFIG_HOME": str(self.git_dir)}
        index = {"GIT_INDEX_FILE": str(self.index)} if self.index else {}
        return {**clean_environment(), **BLANK, **_IDENTITY, **home, **index, "GIT_DEFAULT_REF_FORMAT": "files"}

    def git(self, *arguments: str, stdin: bytes = b"", check: bool = True) -> str:
        """Run git over the files and give what it printed."""
        return os.fsdecode(self.call(*arguments, stdin=stdin, check=check).stdout).strip()

    def call(self, *arguments: str, stdin: bytes = b"", check: bool = True, limit_s: float = TIME_LIMIT_S) -> Done:
        # core.bare is off for this call alone: the work tree is named, and add needs one.
        places = (f"--git-dir={self.git_dir}", f"--work-tree={self.files}", "-C", str(self.files))
        arguments = (*places, "-c", "core.bare=false", *arguments)
        return call(arguments, environment=self.environment, stdin=stdin, check=check, limit_s=limit_s)

    def listed(self, *arguments: str) -> list[str]:
        """Run git with `-z` among the arguments and give the lines: names are taken as they are."""
        return os.fsdecode(self.call(*arguments).stdout).split("\0")[:-1]

    def tree_of(self, commit: str) -> str:
        """Give the hash of a commit's tree. It never changes, so it is asked for once."""
        if commit not in TREES:
            TREES[commit] = self.git("rev-parse", f"{commit}^{{tree}}")
        return TREES[commit]

    def begin(self, ref: str, commit: str) -> None:
        """Let one that was just made, and that nobody else knows yet, stand on a branch at a commit."""
        (self.git_dir / ref).parent.mkdir(parents=True, exist_ok=True)
        (self.git_dir / ref).write_text(f"{commit}\n")
        (self.git_dir / "HEAD").write_text(f"ref: {ref}\n")

    def changes(self, before: str, after: str) -> str:
        """Say in words how much differs between two commits or trees; empty where nothing does."""
        pair = (self.tree_of(before), self.tree_of(after))
        if pair not in _STATS:
            _STATS[pair] = self.git("diff-tree", "--shortstat", *pair)
        return _STATS[pair]

    def check_out(self, commit: str) -> None:
        """Make the files those of a commit, whatever was done to the tracked ones."""
        self.git("read-tree", "--reset", "-u", commit)

    def entries(self) -> dict[str, str]:
        """Give what the index holds: the path of each file, and for links to submodules the commit as well."""
        split = (line.partition("\t") for line in self.listed("ls-files", "--stage", "-z"))
        return {path: meta[7:].partition(" ")[0] if meta.startswith("160000") else "" for meta, _, path in split}

    def entries_of(self, commit: str) -> dict[str, str]:
        """Give the same of a commit or tree that was just checked out; what a tree holds never changes."""
        tree = self.tree_of(commit)
        if tree not in _ENTRIES:
            for oldest in list(_ENTRIES)[: 1 - _MOST_ENTRIES]:
                _ENTRIES.pop(oldest, None)
            _ENTRIES[tree] = self.entries()
        return _ENTRIES[tree]

    def oversized(self) -> dict[str, int]:
        """Give the files that are new or changed and too large for a commit, with their sizes."""
        named = self.listed("ls-files", "--others", "--modified", "--exclude-standard", "-z")
        sizes = {name: path.lstat().st_size for name in named if os.path.lexists(path := self.files / name)}
        return {name: size for name, size in sizes.items() if size > LARGEST}

    def fetch(self, source: Path, ref: str, limit_s: float) -> bool:
        """Take in a commit that is not ours, and only a sound one; say whether that was done."""
        done = self.call("-c", "fetch.fsckObjects=true", *FETCH, str(source), ref, check=False, limit_s=limit_s)
        return not done.returncode
