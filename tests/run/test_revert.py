from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from loopwright.run.checkroom import Checkroom
from loopwright.run.git import Repository
from loopwright.run.revert import Reverter
from loopwright.run.workspace import Snapshot, Workspace
from world import Repo


@pytest.fixture
def workspace(repo: Repo, tmp_path: Path) -> Workspace:
    """Give a clone of a repository whose build is `sh build.sh`."""
    repo.write("build.sh", "cat code; ! grep -q broken code\n")
    repo.write("code", "fine\n")
    repo.commit()
    made = Workspace(Repository.find(repo.root), tmp_path / "clone", "run-12345678", "loopwright/x")
    made.prepare(repo.git("rev-parse", "HEAD"))
    return made


@pytest.fixture
def room(workspace: Workspace) -> Iterator[Checkroom]:
    room = Checkroom(
        workspace.repository, workspace.folder, workspace.keeper.git_dir / "objects", cancel=threading.Event()
    )
    yield room
    room.close()


def leave(workspace: Workspace, parent: str, **files: str) -> Snapshot:
    for name, text in files.items():
        (workspace.files / name).write_text(text)
    return workspace.snapshot(parent, "work")


def base(workspace: Workspace) -> str:
    return workspace.keeper.git("rev-parse", "HEAD")


def test_what_passes_is_kept(workspace: Workspace, room: Checkroom) -> None:
    """An attempt with which the command passes stays as it is, and there is nothing to tell."""
    reverter = Reverter("sh build.sh", room, workspace)
    assert reverter.start(base(workspace)) == ""
    snapshot = leave(workspace, base(workspace), code="finer\n")
    assert reverter.settle(snapshot) == (snapshot, "")
    assert (workspace.files / "code").read_text() == "finer\n"


def test_what_fails_is_put_back_to_where_it_last_passed(workspace: Workspace, room: Checkroom) -> None:
    """The files go back to the last commit that passed, not to the base; the history keeps the one that failed."""
    reverter = Reverter("sh build.sh", room, workspace)
    reverter.start(base(workspace))
    good, _ = reverter.settle(leave(workspace, base(workspace), code="finer\n"))
    bad = leave(workspace, good.commit, code="broken\n", more="x")
    settled, note = reverter.settle(bad)
    assert (workspace.files / "code").read_text() == "finer\n"
    assert not (workspace.files / "more").exists()
    assert settled.tree == good.tree
    assert workspace.keeper.git("rev-parse", f"{settled.commit}~1") == bad.commit
    assert "`sh build.sh` failed" in note and "broken" in note
    assert "put back" in settled.changes


def test_a_base_that_fails(workspace: Workspace, room: Checkroom) -> None:
    """Where the command fails from the start nothing is put back, and that is said; from the first pass on it is."""
    reverter = Reverter("sh build.sh", room, workspace)
    broken = leave(workspace, base(workspace), code="broken\n")
    assert "until `sh build.sh` has passed once" in reverter.start(broken.commit)
    still = leave(workspace, broken.commit, more="x")
    assert reverter.settle(still) == (still, "")
    fixed = leave(workspace, still.commit, code="fine\n")
    assert reverter.settle(fixed) == (fixed, "")
    settled, note = reverter.settle(leave(workspace, fixed.commit, code="broken again\n"))
    assert note
    assert settled.tree == fixed.tree


def test_an_interruption_undoes_nothing(workspace: Workspace, room: Checkroom) -> None:
    """A command that was cut short says nothing about the work, and the work stays."""
    reverter = Reverter("sh build.sh", room, workspace)
    reverter.start(base(workspace))
    snapshot = leave(workspace, base(workspace), code="finer\n")
    room.cancel.set()
    assert reverter.settle(snapshot) == (snapshot, "")
    assert (workspace.files / "code").read_text() == "finer\n"


def test_no_command(workspace: Workspace, room: Checkroom) -> None:
    """Without a command nothing is run and nothing is put back."""
    reverter = Reverter("", room, workspace)
    assert reverter.start(base(workspace)) == ""
    snapshot = leave(workspace, base(workspace), code="broken\n")
    assert reverter.settle(snapshot) == (snapshot, "")


def test_a_program_that_is_not_there(workspace: Workspace, room: Checkroom) -> None:
    """A command whose program is missing puts nothing back, and that is said."""
    reverter = Reverter("no-such-compiler --check", room, workspace)
    assert "no-such-compiler" in reverter.start(base(workspace))
    snapshot = leave(workspace, base(workspace), code="broken\n")
    assert reverter.settle(snapshot) == (snapshot, "")
