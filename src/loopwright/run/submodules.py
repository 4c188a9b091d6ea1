"""The files of submodules, for clones that have none: read from what the user's repository holds of them."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from loopwright.errors import RepositoryError
from loopwright.run.blind_spots import sweep
from loopwright.run.git import Repository
from loopwright.run.tree import Tree


def bring_submodules(repository: Repository, tree: Tree, entries: Mapping[str, str]) -> None:
    """Put the files of the checked-out submodules in place, without their history; the rest stay empty.

    What is there already is made right again. Those inside of others come as well. `entries` are the tree's.
    """
    for commit, source, inner in _submodules(repository, tree, entries):
        try:
            found = Repository.find(source)
            found.commit(commit)
        except RepositoryError:
            continue
        _reset(inner, found, commit)
        bring_submodules(found, inner, inner.entries())


def changed_submodules(repository: Repository, tree: Tree) -> Iterator[str]:
    """Name the submodules in which files were changed: a commit of ours can't hold that."""
    if not (tree.git_dir / "modules").is_dir():
        return
    asked = ("ls-files", "--modified", "--deleted", "--others", "--exclude-standard", "-z")
    for _, source, inner in _submodules(repository, tree, tree.entries()):
        if not (inner.git_dir.exists() and inner.files.is_dir()):
            continue
        path = source.relative_to(repository.root).as_posix()
        if inner.listed(*asked):
            yield path
        yield from (f"{path}/{deeper}" for deeper in changed_submodules(Repository.find(source), inner))


def _submodules(repository: Repository, tree: Tree, entries: Mapping[str, str]) -> Iterator[tuple[str, Path, Tree]]:
    links = [(path, commit) for path, commit in entries.items() if commit]
    for path, commit in links:
        source = repository.root / path
        if (source / ".git").exists():
            name = hashlib.sha256(os.fsencode(path)).hexdigest()[:16]
            yield commit, source, Tree(tree.git_dir / "modules" / name, tree.files / path)


def _reset(tree: Tree, repository: Repository, commit: str) -> None:
    tree.files.mkdir(parents=True, exist_ok=True)
    if not tree.git_dir.exists():
        Tree.make(tree.git_dir, tree.files, repository)
    sweep(tree.files, tree.entries(), ())
    tree.check_out(commit)
