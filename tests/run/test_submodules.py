"""Submodules: their files are there without their history, and are put right wherever they were changed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from clones import Clone, files_in, fingerprint, git

from world import MakeRepo, Repo

MakeClone = Callable[[Path], Clone]
_ALLOW = ("-c", "protocol.file.allow=always")


@pytest.fixture
def outer(make_repo: MakeRepo, copied: Callable[[str, Callable[[], Repo]], Repo]) -> Repo:
    """Give a repository with a submodule inside of a submodule, both checked out, and one that is not."""
    return copied("outer", lambda: _outer(make_repo))


def _outer(make_repo: MakeRepo) -> Repo:
    project, library, deepest = make_repo("project"), make_repo("library"), make_repo("deepest")
    deepest.write("deep.txt", "deep\n")
    deepest.commit()
    library.write("lib.py", "OLD = 1\n")
    library.write(".gitattributes", "*.py filter=lfs\n")
    library.git(*_ALLOW, "submodule", "add", "-q", str(deepest.root), "deep er")
    library.commit()
    project.git(*_ALLOW, "submodule", "add", "-q", str(library.root), "libs/lib")
    project.git(*_ALLOW, "submodule", "add", "-q", str(deepest.root), "absent")
    project.git(*_ALLOW, "submodule", "update", "-q", "--init", "--recursive")
    project.commit("submodules")
    project.git("submodule", "deinit", "-q", "absent")
    return project


def test_files_are_there_and_nothing_of_the_user_changes(outer: Repo, make_clone: MakeClone, tmp_path: Path) -> None:
    """Checked-out submodules come with their files, others stay empty, and nothing of theirs is run or touched."""
    library = outer.root / "libs" / "lib"
    for key in ("core.hooksPath", "core.fsmonitor", "filter.lfs.smudge", "filter.lfs.clean"):
        git(library, "config", key, f"touch '{tmp_path / 'trace'}'; cat")
    (library / "lib.py").write_text("the user's own change\n")
    outer.git("config", "fetch.recurseSubmodules", "true")
    outer.git("config", "submodule.recurse", "true")
    before = fingerprint(outer.root)
    clone = make_clone(outer.root)
    clone.prepare()
    files = files_in(clone.files)
    assert files[b"libs/lib/lib.py"] == ("file", b"OLD = 1\n")
    assert files[b"libs/lib/deep er/deep.txt"] == ("file", b"deep\n")
    assert list((clone.files / "absent").iterdir()) == []
    assert clone.git("status", "--porcelain") == ""

    (clone.files / "new").touch()
    taken = clone.snapshot()
    assert taken.left_out == ""
    assert clone.git("ls-tree", "-r", taken.commit, "libs/lib") == clone.git("ls-tree", "-r", "HEAD~1", "libs/lib")
    clone.room.enter(taken.commit)
    clone.workspace.put_back(taken.commit)
    assert files_in(clone.room.root) == files_in(clone.files)
    assert fingerprint(outer.root) == before
    assert not (tmp_path / "trace").exists()


def test_changes_in_a_submodule_are_told(outer: Repo, make_clone: MakeClone) -> None:
    """A commit of ours can't hold what the agent changes in a submodule: it is said, and the link stays as it was."""
    clone = make_clone(outer.root)
    start = clone.prepare()
    (clone.files / "libs" / "lib" / "new.py").touch()
    taken = clone.snapshot()
    assert "`libs/lib`" in taken.left_out
    assert taken.commit == start
    (clone.files / "libs" / "lib" / "deep er" / "deep.txt").unlink()
    assert "`libs/lib/deep er`" in clone.snapshot().left_out
    clone.workspace.put_back(start)
    assert not (clone.files / "libs" / "lib" / "new.py").exists()
    assert clone.snapshot().left_out == ""


def test_a_repository_made_of_a_submodule_stays_a_link(outer: Repo, make_clone: MakeClone) -> None:
    """An agent that commits inside of a submodule does not make the branch point at a commit nobody has."""
    clone = make_clone(outer.root)
    start = clone.prepare()
    library = clone.files / "libs" / "lib"
    git(library, "init", "-q")
    git(library, "add", "-A")
    git(library, "-c", "user.name=M", "-c", "user.email=m@example.com", "commit", "-qm", "inside")
    (clone.files / "work").touch()
    taken = clone.snapshot()
    assert "`libs/lib`" in taken.left_out
    assert clone.git("diff", "--name-only", start, taken.commit) == "work"


def test_a_submodule_that_was_removed_is_gone(outer: Repo, make_clone: MakeClone) -> None:
    """Taking a submodule away is a change like any other, and the checkroom follows, back and forth."""
    clone = make_clone(outer.root)
    start = clone.prepare()
    clone.git("rm", "-q", "-rf", "libs/lib")
    taken = clone.snapshot()
    assert clone.git("diff", "--name-only", start, taken.commit).splitlines() == [".gitmodules", "libs/lib"]
    for commit, there in ((start, True), (taken.commit, False), (start, True)):
        clone.room.enter(commit)
        clone.room.run("true", shell=False, timeout_s=10)
        assert (clone.room.root / "libs" / "lib" / "lib.py").exists() == there


@pytest.mark.parametrize(
    "damage",
    [
        "echo forged > libs/lib/lib.py; echo x > libs/lib/new.py; rm 'libs/lib/deep er/deep.txt'",
        "rm -rf libs; ln -s /etc libs",
        "rm -rf libs/lib; ln -s / libs/lib",
        "rm -rf libs/lib; echo file > libs/lib",
        "cd libs/lib && git init -q && rm .gitattributes && mkfifo .gitattributes 'deep er/.gitignore'",
    ],
)
def test_the_checkroom_puts_them_right(damage: str, outer: Repo, make_clone: MakeClone) -> None:
    """What a command does to the files of a submodule is undone before the next one."""
    clone = make_clone(outer.root)
    clone.room.enter(outer.git("rev-parse", "HEAD"))
    before = files_in(clone.room.root)
    assert b"libs/lib/deep er/deep.txt" in before
    assert clone.shell(damage) == ""
    clone.room.enter(outer.git("rev-parse", "HEAD"))
    assert files_in(clone.room.root) == before


def test_a_commit_that_the_user_does_not_have(outer: Repo, make_clone: MakeClone) -> None:
    """A submodule at a commit that was never fetched stays empty, and the run goes on."""
    outer.git("update-index", "--cacheinfo", f"160000,{'1' * 40},libs/lib")
    outer.git("commit", "-qm", "ahead")
    clone = make_clone(outer.root)
    clone.prepare()
    assert list((clone.files / "libs" / "lib").iterdir()) == []
    assert clone.snapshot().left_out == ""
