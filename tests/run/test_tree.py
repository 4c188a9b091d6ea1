"""A git folder of ours over a folder of files."""

from __future__ import annotations

from pathlib import Path

import pytest

from loopwright.errors import RepositoryError
from loopwright.run.git import Repository
from loopwright.run.tree import Tree
from world import Repo


@pytest.fixture
def tree(repo: Repo, tmp_path: Path) -> Tree:
    return Tree.make(tmp_path / "ours.git", tmp_path / "files", Repository.find(repo.root))


def test_a_new_one_stands_on_a_branch(repo: Repo, tree: Tree) -> None:
    """Git finds the commit where it was said to be, and borrows it."""
    head = repo.git("rev-parse", "HEAD")
    tree.begin("refs/heads/loopwright/x", head)
    assert tree.git("rev-parse", "HEAD", "loopwright/x").split() == [head, head]
    assert tree.git("symbolic-ref", "HEAD") == "refs/heads/loopwright/x"


def test_what_a_tree_holds_is_asked_once_and_stays_right(repo: Repo, tree: Tree) -> None:
    """Each of many commits gets its own entries, also when it comes back after others."""
    commits = [repo.git("rev-parse", "HEAD")]
    for number in range(6):
        repo.write(f"file{number}", "x")
        repo.commit()
        commits.append(repo.git("rev-parse", "HEAD"))
    for commit in [*commits, *commits]:
        tree.check_out(commit)
        assert tree.entries_of(commit) == tree.entries()


def test_changes_are_told_in_words(repo: Repo, tree: Tree) -> None:
    """Nothing is said where nothing differs; what is no commit is refused."""
    before = repo.git("rev-parse", "HEAD")
    repo.write("new", "x\n")
    repo.commit()
    after = repo.git("rev-parse", "HEAD")
    assert tree.changes(before, after) == tree.changes(before, after) == "1 file changed, 1 insertion(+)"
    assert tree.changes(after, after) == ""
    with pytest.raises(RepositoryError):
        tree.changes(before, "0" * 40)
