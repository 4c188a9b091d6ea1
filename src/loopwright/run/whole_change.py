"""Two commits -> what changed between them: nothing that lies in a tree hides a part of it."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from loopwright.run.git import Repository
from loopwright.run.tree import Tree

PLAIN = ("--no-ext-diff", "--no-textconv", "--no-color")
AS_TEXT = (*PLAIN, "--text", "--no-renames")
"""All that was changed can be read, also in files that are called binary; what was moved is gone, and new elsewhere."""


def patch(tree: Tree, base: str, commit: str) -> bytes:
    """Give a patch that `git apply` takes."""
    return _diff(tree, *PLAIN, "--binary", base, commit)


def judged_change(tree: Tree, base: str, commit: str) -> str:
    """Give what is judged."""
    return _diff(tree, *AS_TEXT, base, commit).decode(errors="replace")


def judged_at_home(repository: Repository, base: str, commit: str) -> str:
    """Give the same of commits that are in the user's repository, whatever its settings say."""
    with TemporaryDirectory() as folder:
        return judged_change(Tree.make(Path(folder, "git"), Path(folder, "files"), repository), base, commit)


def _diff(tree: Tree, *arguments: str) -> bytes:
    # Attributes are read from the files, and of files that are not there from the index: here is neither.
    with TemporaryDirectory() as nothing:
        return Tree(tree.git_dir, Path(nothing), Path(nothing, "index")).call("diff", *arguments).stdout
