"""What an agent may do to its own git."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable

from clones import BRANCH, Clone

Deed = Callable[[Clone], object]


def stash(clone: Clone) -> None:
    (clone.files / "src" / "app.py").write_text("STASHED = 1\n")
    clone.git("stash", "push", "-u")


def branches_and_tags(clone: Clone) -> None:
    clone.git("checkout", "-q", "-b", "mine")
    clone.git("branch", "-D", BRANCH)
    clone.git("tag", "-a", "v1", "-m", "one")
    clone.git("checkout", "-q", "-b", BRANCH)


def settings(clone: Clone) -> None:
    clone.git("config", "user.name", "Mallory")
    clone.git("config", "core.bare", "true")
    clone.git("remote", "add", "origin", str(clone.root))


def collected(clone: Clone) -> None:
    clone.git("commit", "-q", "--allow-empty", "-m", "empty")
    clone.git("gc", "-q", "--prune=now")


def no_git(clone: Clone) -> None:
    shutil.rmtree(clone.files / ".git")


def another_git(clone: Clone) -> None:
    no_git(clone)
    clone.git("init", "-q", "-b", BRANCH)
    clone.git("add", "-A")
    clone.git("-c", "user.name=M", "-c", "user.email=m@example.com", "commit", "-qm", "a history of its own")


def git_file(clone: Clone) -> None:
    no_git(clone)
    (clone.files / ".git").write_text(f"gitdir: {clone.root / '.git'}\n")


def git_link(clone: Clone) -> None:
    no_git(clone)
    (clone.files / ".git").symlink_to(clone.root / ".git")


def linked_refs(clone: Clone) -> None:
    shutil.rmtree(clone.files / ".git" / "refs")
    (clone.files / ".git" / "refs").symlink_to(clone.root / ".git" / "refs")


def linked_heads(clone: Clone) -> None:
    folder = clone.files / ".git" / "refs" / "heads" / "loopwright"
    shutil.rmtree(folder)
    folder.symlink_to(clone.root / ".git" / "refs" / "tags")


def linked_config(clone: Clone) -> None:
    (clone.files / ".git" / "config").unlink()
    (clone.files / ".git" / "config").symlink_to(clone.root / ".git" / "config")


def other_lenders(clone: Clone) -> None:
    another_git(clone)
    (clone.files / ".git" / "objects" / "info" / "alternates").write_text("/nowhere/objects\n")


def linked_branch_to_main(clone: Clone) -> None:
    branch = clone.files / ".git" / "refs" / "heads" / BRANCH
    branch.unlink()
    branch.symlink_to(clone.root / ".git" / "refs" / "heads" / "main")


def head_on_the_users_main(clone: Clone) -> None:
    shutil.rmtree(clone.files / ".git" / "refs" / "heads")
    (clone.files / ".git" / "refs" / "heads").symlink_to(clone.root / ".git" / "refs" / "heads")
    (clone.files / ".git" / "commondir").write_text(f"{clone.root / '.git'}\n")
    (clone.files / ".git" / "HEAD").write_text("ref: refs/heads/main\n")


def common_folder(clone: Clone) -> None:
    (clone.files / ".git" / "commondir").write_text(f"{clone.root / '.git'}\n")


def linked_objects(clone: Clone) -> None:
    shutil.rmtree(clone.files / ".git" / "objects")
    (clone.files / ".git" / "objects").symlink_to(clone.root / ".git" / "objects")


def linked_index(clone: Clone) -> None:
    for name in ("index", "index.loopwright", "index.lock"):
        (clone.files / ".git" / name).unlink(missing_ok=True)
        (clone.files / ".git" / name).symlink_to(clone.root / ".git" / "index")


def hard_linked_index(clone: Clone) -> None:
    for name in ("index", "index.loopwright"):
        (clone.files / ".git" / name).unlink(missing_ok=True)
        os.link(clone.root / ".git" / "index", clone.files / ".git" / name)


def folders_in_the_way(clone: Clone) -> None:
    (clone.files / ".git" / "index").unlink()
    (clone.files / ".git" / "index" / "x").mkdir(parents=True)
    shutil.rmtree(clone.files / ".git" / "refs" / "heads" / "loopwright")
    (clone.files / ".git" / "refs" / "heads" / "loopwright").write_text("no folder")


def pipes_in_git(clone: Clone) -> None:
    for name in ("HEAD", "index", f"refs/heads/{BRANCH}"):
        (clone.files / ".git" / name).unlink()
        os.mkfifo(clone.files / ".git" / name)


def pipe_for_the_branch(clone: Clone) -> None:
    (clone.files / ".git" / "refs" / "heads" / BRANCH).unlink()
    os.mkfifo(clone.files / ".git" / "refs" / "heads" / BRANCH)


def other_branch(clone: Clone) -> None:
    clone.git("checkout", "-q", "-b", "side", "HEAD~1")


def detached(clone: Clone) -> None:
    clone.git("checkout", "-q", "--detach", "HEAD~1")


def unborn(clone: Clone) -> None:
    clone.git("checkout", "-q", "--orphan", "nothing")


def hidden_bits(clone: Clone) -> None:
    clone.git("update-index", "--assume-unchanged", "README.md")
    clone.git("update-index", "--skip-worktree", "src/app.py")
    (clone.files / "README.md").write_text("changed behind git's back\n")
    (clone.files / "src" / "app.py").unlink()


def excluded(clone: Clone) -> None:
    (clone.files / ".git" / "info" / "exclude").write_text("*\n")


def odd_head(clone: Clone) -> None:
    (clone.files / ".git" / "HEAD").write_text("ref: refs/../../../../../../etc/passwd\n")


def whole_folder(clone: Clone) -> None:
    shutil.rmtree(clone.files)


def folder_that_is_a_link(clone: Clone) -> None:
    shutil.rmtree(clone.files)
    clone.files.symlink_to(clone.root)


def parent_that_is_a_link(clone: Clone) -> None:
    shutil.rmtree(clone.files.parent)
    clone.files.parent.symlink_to(clone.root.parent)


DEEDS: tuple[Deed, ...] = (
    *(stash, branches_and_tags, settings, collected, no_git, another_git, git_file, git_link, linked_refs),
    *(linked_heads, linked_config, other_lenders, linked_branch_to_main, head_on_the_users_main, common_folder),
    *(linked_objects, linked_index, hard_linked_index, folders_in_the_way, pipes_in_git, pipe_for_the_branch),
    *(other_branch, detached, unborn, hidden_bits, excluded, odd_head, whole_folder, folder_that_is_a_link),
    parent_that_is_a_link,
)
BREAKING: tuple[Deed, ...] = (
    *(no_git, another_git, git_file, git_link, linked_refs, linked_heads, linked_config, other_lenders),
    *(common_folder, linked_objects, folders_in_the_way, pipes_in_git, pipe_for_the_branch, whole_folder),
)
"""After these there is no git that could be used."""
