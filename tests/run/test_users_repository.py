"""The user's repository, over all that a run does to it: nothing in it changes but the run's own branch."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from clones import BRANCH, Clone, files_at, files_in, fingerprint, git

from loopwright.errors import RepositoryError
from loopwright.run.git import Repository
from world import Repo

HOOKS = ("post-checkout", "reference-transaction", "pre-commit", "post-commit", "post-index-change", "pre-auto-gc")
FETCH_HOOKS = ("post-merge", "post-rewrite", "update", "pre-receive", "post-receive", "post-update", "push-to-checkout")

World = Callable[[Repo, Path], Path]
"""Shapes a repository and gives the folder that the user works in."""


def dirty(repo: Repo, _: Path) -> Path:
    repo.write("README.md", "staged\n")
    repo.git("add", "README.md")
    repo.write("src/app.py", "VALUE = 2  # unstaged\n")
    repo.write("new.txt", "untracked\n")
    repo.write("noise.log", "ignored\n")
    repo.git("stash", "push", "--keep-index")
    repo.git("stash", "apply")
    return repo.root


def detached(repo: Repo, _: Path) -> Path:
    repo.git("checkout", "-q", "--detach", "HEAD~1")
    return repo.root


def packed(repo: Repo, _: Path) -> Path:
    repo.git("tag", "-a", "v1", "-m", "one")
    repo.git("branch", "side")
    repo.git("gc", "-q")
    return repo.root


def shallow(repo: Repo, place: Path) -> Path:
    git(place, "clone", "-q", "--depth", "1", f"file://{repo.root}", "shallow")
    return place / "shallow"


def partial(repo: Repo, place: Path) -> Path:
    repo.git("config", "uploadpack.allowFilter", "true")
    git(place, "clone", "-q", "--filter=blob:none", f"file://{repo.root}", "partial")
    return place / "partial"


def worktree(repo: Repo, place: Path) -> Path:
    repo.git("worktree", "add", "-q", "-b", "other", str(place / "linked tree"))
    return place / "linked tree"


def separate(repo: Repo, place: Path) -> Path:
    repo.git("init", "-q", f"--separate-git-dir={place / 'elsewhere.git'}")
    return repo.root


def shared(repo: Repo, place: Path) -> Path:
    git(place, "clone", "-q", "--shared", str(repo.root), "one")
    git(place, "clone", "-q", "--shared", "one", "two")
    git(place / "two", "config", "core.alternateRefsCommand", f"touch {place / 'trace'};:")
    return place / "two"


def sha256(_: Repo, place: Path) -> Path:
    git(place, "init", "-q", "--object-format=sha256", "sha256")
    (place / "sha256" / "a").write_text("a\n")
    git(place / "sha256", "add", "-A")
    git(place / "sha256", *_IDENTITY, "commit", "-qm", "start")
    return place / "sha256"


def one_file(_: Repo, place: Path) -> Path:
    git(place, "init", "-q", "small")
    (place / "small" / "empty").touch()
    git(place / "small", "add", "-A")
    git(place / "small", *_IDENTITY, "commit", "-qm", "start")
    return place / "small"


def odd_names(repo: Repo, _: Path) -> Path:
    for name in (
        "a b",
        ' "quoted"',
        "new\nline",
        "grün-漢字",
        "tab\t",
        "-dash",
        ":colon",
        ":(glob)*",
        "back\\slash",
        "*",
    ):
        repo.write(name, name)
    (repo.root / os.fsdecode(b"latin-\xe9")).write_bytes(b"1")
    repo.write("fol der/d\u2028e/f", "deep")
    repo.commit("names")
    return repo.root


def odd_folder(repo: Repo, place: Path) -> Path:
    return repo.root.rename(place / ' my "grün" \u2028pro\nject\\ ')


def links(repo: Repo, place: Path) -> Path:
    for name, goal in {
        "in": "src/app.py",
        "dangling": "nowhere",
        "out": "/etc/passwd",
        "up": "../..",
        "dir": "src",
    }.items():
        (repo.root / name).symlink_to(goal)
    (repo.root / "home").symlink_to(place)
    repo.commit("links")
    return repo.root


def crlf(repo: Repo, _: Path) -> Path:
    (repo.root / "dos.txt").write_bytes(b"one\r\ntwo\r\n")
    (repo.root / "unix.txt").write_bytes(b"one\ntwo\n")
    repo.commit("line ends")
    git(repo.root, "config", "--global", "core.autocrlf", "true")
    return repo.root


def filters(repo: Repo, place: Path) -> Path:
    repo.write(".gitattributes", "*.bin filter=lfs diff=lfs merge=lfs -text\n*.txt diff=shout\n")
    repo.write("big.bin", "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n")
    repo.write("a.txt", "a\n")
    repo.commit("pointers")
    trace = f"touch '{place / 'trace'}'; cat"
    for key in ("filter.lfs.clean", "filter.lfs.smudge", "filter.lfs.process", "diff.shout.textconv", "diff.external"):
        git(repo.root, "config", "--global", key, trace)
    git(repo.root, "config", "--global", "filter.lfs.required", "true")
    return repo.root


def hooks(repo: Repo, place: Path) -> Path:
    _write_hooks(repo.root / ".git" / "hooks", place)
    _write_hooks(repo.root / "fsmonitor", place)
    repo.git("config", "core.fsmonitor", str(repo.root / "fsmonitor" / "update"))
    return repo.root


def global_hooks(repo: Repo, place: Path) -> Path:
    _write_hooks(place / "hooks", place)
    git(repo.root, "config", "--global", "core.hooksPath", str(place / "hooks"))
    git(repo.root, "config", "--global", "uploadpack.packObjectsHook", f"touch '{place / 'trace'}';")
    return repo.root


def strict_settings(repo: Repo, _: Path) -> Path:
    repo.git("config", "--unset", "user.name")
    repo.git("config", "--unset", "user.email")
    settings = {
        "user.useConfigOnly": "true",
        "protocol.allow": "never",
        "fetch.writeCommitGraph": "true",
        "fetch.prune": "true",
        "fetch.recurseSubmodules": "true",
        "submodule.recurse": "true",
        "transfer.fsckObjects": "true",
        "safe.bareRepository": "explicit",
        "core.logAllRefUpdates": "always",
        "core.untrackedCache": "true",
        "core.splitIndex": "true",
        "gc.auto": "1",
        "commit.gpgSign": "true",
    }
    for key, value in settings.items():
        git(repo.root, "config", "--global", key, value)
    return repo.root


_IDENTITY = ("-c", "user.name=Ada", "-c", "user.email=ada@example.com")
WORLDS = (
    *(dirty, detached, packed, shallow, partial, worktree, separate, shared, sha256, one_file, odd_names, odd_folder),
    *(links, crlf, filters, hooks, global_hooks, strict_settings),
)


@pytest.mark.parametrize("world", WORLDS, ids=lambda world: world.__name__)
def test_nothing_changes_but_the_branch(
    world: World, project: Repo, tmp_path: Path, make_clone: Callable[[Path], Clone]
) -> None:
    """Whatever the repository is like, a run leaves it as it was, runs nothing that it brings, and gets it right."""
    root = world(project, tmp_path)
    base = git(root, "rev-parse", "HEAD")
    before = fingerprint(root)
    clone = make_clone(root)

    assert clone.prepare() == base
    assert files_in(clone.files) == files_at(root, base)
    assert git(clone.files, "status", "--porcelain", GIT_CONFIG_GLOBAL="/dev/null") == ""
    assert clone.git("log", "-1", "--format=%H") == base

    _work(clone.files)
    worked = files_in(clone.files)
    taken = clone.snapshot()
    assert (taken.left_out, taken.not_home) == ("", "")
    assert clone.home == taken.commit != base
    assert clone.taken() == worked
    assert git(root, "rev-parse", f"{taken.commit}^") == base

    clone.room.enter(taken.commit)
    assert files_in(clone.room.root) == worked
    clone.workspace.put_back(base)
    assert files_in(clone.files) == files_at(root, base)
    clone.snapshot("put back")
    assert clone.taken() == files_at(root, base)

    assert fingerprint(root) == before
    assert not (tmp_path / "trace").exists()


def test_variables_of_git_do_not_lead_us_astray(
    project: Repo, tmp_path: Path, make_clone: Callable[[Path], Clone], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A GIT_DIR or GIT_INDEX_FILE in our environment, as in a hook that starts us, moves nothing."""
    before = fingerprint(project.root)
    with monkeypatch.context() as patched:
        for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_NAMESPACE"):
            patched.setenv(name, str(tmp_path / name))
        clone = make_clone(project.root)
        clone.prepare()
        (clone.files / "new").touch()
        clone.snapshot()
        home = clone.workspace.repository.commit(BRANCH)
    assert home == clone.commit
    assert b"new" in clone.taken()
    assert fingerprint(project.root) == before


def test_uncommitted_changes_are_only_counted(project: Repo, tmp_path: Path) -> None:
    """Counting the user's changes runs no hook and no monitor, and does not so much as refresh the index."""
    dirty(project, tmp_path)
    hooks(project, tmp_path)
    (project.root / "README.md").touch()
    before = fingerprint(project.root)
    assert Repository.find(project.root).uncommitted(but="none") == 4
    assert fingerprint(project.root) == before
    assert not (tmp_path / "trace").exists()


def test_a_branch_in_the_way_is_named(project: Repo, make_clone: Callable[[Path], Clone]) -> None:
    """Where the user has a branch `loopwright`, git can't hold ours: the message says what to rename."""
    project.git("branch", "loopwright")
    with pytest.raises(RepositoryError, match="git branch -m loopwright"):
        make_clone(project.root).prepare()


def _work(files: Path) -> None:
    """Do what an agent does."""
    (files / "new folder").mkdir()
    (files / "new folder" / "grün.py").write_text("new\n")
    (files / "tool").write_text("#!/bin/sh\n")
    (files / "tool").chmod(0o755)
    (files / "link").symlink_to("tool")
    first = next(path for path in sorted(files.iterdir()) if path.is_file() and not path.is_symlink())
    first.write_bytes(first.read_bytes() + b"more\n")


def _write_hooks(folder: Path, place: Path) -> None:
    folder.mkdir(exist_ok=True)
    for name in (*HOOKS, *FETCH_HOOKS):
        (folder / name).write_text(f"#!/bin/sh\ntouch '{place / 'trace'}'\n")
        (folder / name).chmod(0o755)
