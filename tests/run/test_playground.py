"""The agent's own git: whatever is done with it, the snapshot is right and nothing reaches the user's repository."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from clones import BRANCH, Clone, files_at, files_in, fingerprint, git
from git_deeds import BREAKING, DEEDS, Deed

from world import Repo


@pytest.mark.parametrize("deed", DEEDS, ids=lambda deed: deed.__name__)
def test_no_deed_hides_work_or_reaches_the_user(deed: Deed, clone: Clone, project: Repo) -> None:
    """After anything an agent does to its git, all of its files are in the snapshot and the user's are as before."""
    project.write("README.md", "uncommitted\n")
    before = fingerprint(project.root)
    start = clone.commit
    deed(clone)
    if not clone.files.is_symlink() and not clone.files.parent.is_symlink():
        (clone.files / "src").mkdir(parents=True, exist_ok=True)
        (clone.files / "src" / "new.py").write_text("new\n")
    taken = clone.snapshot()
    assert not clone.files.is_symlink()
    assert not clone.files.parent.is_symlink()
    assert clone.taken() == files_in(clone.files)
    assert clone.home == taken.commit
    assert git(project.root, "merge-base", start, taken.commit) == start
    assert fingerprint(project.root) == before

    (clone.files / "next").write_text("the attempt after that\n")
    clone.snapshot("the next one")
    assert clone.taken() == files_in(clone.files)
    clone.workspace.put_back(start)
    assert files_in(clone.files) == files_at(project.root, start)
    assert fingerprint(project.root) == before


@pytest.mark.parametrize("deed", BREAKING, ids=lambda deed: deed.__name__)
def test_a_broken_git_is_made_anew(deed: Deed, clone: Clone, project: Repo) -> None:
    """The next attempt finds a git of its own again, on the run's branch and with nothing to commit."""
    before = fingerprint(project.root)
    deed(clone)
    (clone.files / "src").mkdir(parents=True, exist_ok=True)
    (clone.files / "src" / "new.py").write_text("new\n")
    clone.snapshot()
    assert clone.git("rev-parse", "--absolute-git-dir") == str(clone.files / ".git")
    assert clone.git("symbolic-ref", "HEAD") == f"refs/heads/{BRANCH}"
    assert clone.git("rev-parse", "HEAD") == clone.commit
    assert clone.git("status", "--porcelain") == ""
    clone.git("fsck", "--no-dangling")
    clone.git("tag", "mine")
    clone.git("config", "user.name", "Mallory")
    assert clone.git("remote") == ""
    assert fingerprint(project.root) == before


def test_commits_of_its_own_are_kept(clone: Clone, project: Repo) -> None:
    """Commits that stand on ours stay in the history with their messages and authors, packed refs or not."""
    start = clone.commit
    (clone.files / "one").touch()
    clone.git("add", "-A")
    clone.git("-c", "user.name=Agent", "commit", "-qm", "first of its own")
    clone.git("pack-refs", "--all")
    clone.git("commit", "-q", "--allow-empty", "-m", "second")
    clone.git("pack-refs", "--all")
    taken = clone.snapshot("ours")
    log = git(project.root, "log", "--format=%s by %an", f"{start}..{taken.commit}").splitlines()
    assert log == ["second by Ada", "first of its own by Agent"]

    (clone.files / "two").touch()
    clone.snapshot("ours")
    assert git(project.root, "log", "-3", "--format=%s", clone.home).splitlines() == [
        "ours",
        "second",
        "first of its own",
    ]


def test_commits_on_another_branch_are_kept(clone: Clone, project: Repo) -> None:
    """An agent that works on a branch of its own, or with a detached HEAD, is left there, and its commits count."""
    clone.git("checkout", "-q", "-b", "feature")
    clone.git("commit", "-q", "--allow-empty", "-m", "on a feature")
    (clone.files / "left").touch()
    clone.snapshot("ours")
    assert git(project.root, "log", "-2", "--format=%s", clone.home).splitlines() == ["ours", "on a feature"]
    assert clone.git("symbolic-ref", "HEAD") == "refs/heads/feature"

    clone.git("checkout", "-q", "--detach")
    clone.git("commit", "-q", "-m", "on nothing", "--allow-empty")
    clone.snapshot("later")
    assert clone.taken() == files_in(clone.files)


def test_rewritten_history_does_not_take_ours_away(clone: Clone, project: Repo) -> None:
    """What is amended or rebased away stays in our history, and the branch still moves forward."""
    (clone.files / "one").touch()
    first = clone.snapshot("ours").commit
    clone.git("commit", "-q", "--amend", "-m", "amended")
    (clone.files / "two").touch()
    second = clone.snapshot("ours again")
    assert second.not_home == ""
    assert git(project.root, "rev-parse", f"{second.commit}^") == first
    assert clone.git("rev-parse", "HEAD") == second.commit


def test_a_stash_lives_through_a_snapshot(clone: Clone) -> None:
    """The agent finds its stash, its tags and its branches again in the next attempt."""
    (clone.files / "README.md").write_text("stashed\n")
    clone.git("stash")
    clone.git("tag", "here")
    clone.snapshot()
    clone.git("stash", "pop")
    assert (clone.files / "README.md").read_text() == "stashed\n"
    assert clone.git("tag") == "here"


def test_a_lock_that_was_left_is_taken_away(clone: Clone) -> None:
    """A git of the agent's that was ended in the middle does not stop the next one."""
    (clone.files / ".git" / "index.lock").touch()
    (clone.files / ".git" / "HEAD.lock").touch()
    clone.snapshot()
    clone.git("commit", "-q", "--allow-empty", "-m", "it works")
    assert clone.git("log", "-1", "--format=%s") == "it works"
    assert not list((clone.files / ".git").glob("*.lock"))


def test_a_lie_about_the_head_is_not_believed(clone: Clone, project: Repo) -> None:
    """A HEAD that names no commit of the agent's, or a forged object, leaves our own commit as the parent."""
    start = clone.commit
    blob = clone.git("hash-object", "-w", "README.md")
    (clone.files / ".git" / "refs" / "heads" / BRANCH).write_text(f"{blob}\n")
    (clone.files / "a").touch()
    assert git(project.root, "rev-parse", f"{clone.snapshot().commit}^") == start

    (clone.files / ".git" / "refs" / "heads" / BRANCH).write_text("1" * 40 + "\n")
    (clone.files / "b").touch()
    assert git(project.root, "rev-parse", f"{clone.snapshot().commit}~2") == start


def test_a_forged_object_does_not_come_in(clone: Clone, project: Repo) -> None:
    """A commit whose tree was swapped for another under the same name is not taken into the history."""
    start = clone.commit
    (clone.files / "honest").write_text("honest\n")
    clone.git("add", "-A")
    clone.git("commit", "-qm", "honest")
    blob = clone.git("rev-parse", "HEAD:honest")
    objects = clone.files / ".git" / "objects"
    other = _write_blob(clone, "forged\n")
    forged = objects / blob[:2] / blob[2:]
    forged.chmod(0o644)
    forged.write_bytes((objects / other[:2] / other[2:]).read_bytes())
    taken = clone.snapshot("ours")
    assert git(project.root, "rev-parse", f"{taken.commit}^") == start
    assert clone.taken()[b"honest"] == ("file", b"honest\n")
    git(project.root, "fsck", "--no-dangling")


def test_a_commit_that_no_git_should_hold_does_not_come_in(clone: Clone, project: Repo) -> None:
    """A commit with a `.git` in its tree, made to harm whoever checks it out, is not taken into the history."""
    start = clone.commit
    blob = _write_blob(clone, "#!/bin/sh\n")
    hooks = _make_tree(clone, f"100755 blob {blob}\tpost-checkout")
    evil = _make_tree(clone, f"040000 tree {_make_tree(clone, f'040000 tree {hooks}{chr(9)}hooks')}\t.git")
    clone.git("reset", "-q", "--soft", clone.git("commit-tree", evil, "-p", start, "-m", "evil"))
    (clone.files / "work").touch()
    taken = clone.snapshot("ours")
    assert git(project.root, "rev-parse", f"{taken.commit}^") == start


@pytest.mark.parametrize("place", ["config", "attributes"])
def test_nothing_of_its_config_is_run(place: str, clone: Clone, tmp_path: Path) -> None:
    """Hooks, monitors, filters, remotes and helpers that the agent sets up are never started by us."""
    trace = tmp_path / "trace"
    hook = clone.files / "hooks" / "post-checkout"
    hook.parent.mkdir()
    for name in ("post-checkout", "reference-transaction", "post-index-change", "pre-commit", "fsmonitor"):
        (hook.parent / name).write_text(f"#!/bin/sh\ntouch '{trace}'\n")
        (hook.parent / name).chmod(0o755)
    clone.git("config", "core.hooksPath", str(hook.parent))
    clone.git("config", "core.fsmonitor", str(hook.parent / "fsmonitor"))
    for key in ("clean", "smudge", "process"):
        clone.git("config", f"filter.evil.{key}", f"touch '{trace}'; cat")
    for key in (
        "diff.evil.textconv",
        "diff.evil.command",
        "diff.external",
        "core.alternateRefsCommand",
        "core.sshCommand",
    ):
        clone.git("config", key, f"touch '{trace}'; cat")
    if place == "attributes":
        (clone.files / ".gitattributes").write_text("* filter=evil diff=evil\n")
        (clone.files / ".git" / "info" / "attributes").write_text("* filter=evil\n")
    _promise(clone, trace)
    (clone.files / "README.md").write_text("changed\n")
    trace.unlink(missing_ok=True)
    taken = clone.snapshot()
    clone.workspace.diff(taken.commit, f"{taken.commit}^")
    clone.workspace.put_back(taken.commit)
    clone.room.enter(taken.commit)
    assert not trace.exists()
    assert clone.taken()[b"README.md"] == ("file", b"changed\n")


def _promise(clone: Clone, trace: Path) -> None:
    """Make git believe that missing objects can be had from a remote, whose address is a program."""
    clone.git("config", "extensions.partialClone", "evil")
    clone.git("config", "core.repositoryFormatVersion", "1")
    clone.git("config", "remote.evil.url", f"ext::sh -c touch% {trace}")
    clone.git("config", "remote.evil.promisor", "true")
    clone.git("config", "protocol.ext.allow", "always")
    (clone.files / ".git" / "refs" / "heads" / BRANCH).write_text("2" * 40 + "\n")


def _make_tree(clone: Clone, line: str) -> str:
    argv = ["git", "-C", str(clone.files), "mktree"]
    return subprocess.run(argv, input=f"{line}\n", capture_output=True, text=True, check=True).stdout.strip()


def _write_blob(clone: Clone, content: str) -> str:
    (clone.files / "blob").write_text(content)
    name = clone.git("hash-object", "-w", "blob")
    (clone.files / "blob").unlink()
    return name
