"""What git does not see or trips over: pipes, sockets, repositories inside of repositories."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest
from clones import Clone, files_in, git

from loopwright.run.blind_spots import any_larger, clear_pipes, delete, sweep
from world import Repo

Nesting = Callable[[Path], object]
_COMMIT = ("-c", "user.name=M", "-c", "user.email=m@example.com", "commit", "-q", "-m", "inside")


def _nest(folder: Path, *names: str, commit: bool = False) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    git(folder, "init", "-q")
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name)
    if commit:
        git(folder, "add", "-A", "--force")
        git(folder, *_COMMIT)
    return folder


def with_commits(files: Path) -> None:
    _nest(files / "inner", "a", "b/c", commit=True)


def without_commits(files: Path) -> None:
    _nest(files / "inner", "a", "b/c")


def empty(files: Path) -> None:
    _nest(files / "inner")


def twice(files: Path) -> None:
    _nest(files / "inner" / "deeper", "a", commit=True)
    _nest(files / "inner", "b", commit=True)
    _nest(files / "inner" / "deeper" / "deepest", "c")


def in_a_known_folder(files: Path) -> None:
    _nest(files / "src", "a", commit=True)


def in_place_of_a_file(files: Path) -> None:
    (files / "README.md").unlink()
    _nest(files / "README.md", "a", commit=True)


def with_odd_names(files: Path) -> None:
    _nest(files / " -a\n[b]\t:(c) ü", "-x", ":y", commit=True)
    (files / "*" / "?").mkdir(parents=True)
    _nest(files / "*" / "?" / "!", "z")


def with_a_file_for_git(files: Path) -> None:
    _nest(files / "inner", "a", commit=True)
    (files / "linked").mkdir()
    (files / "linked" / ".git").write_text("gitdir: ../inner/.git\n")
    (files / "linked" / "b").touch()


def with_no_real_git(files: Path) -> None:
    (files / "inner" / ".git").mkdir(parents=True)
    (files / "inner" / "a").touch()
    (files / "other").mkdir()
    (files / "other" / ".git").symlink_to("nowhere")
    (files / "other" / "b").touch()


def with_a_pipe_for_a_head(files: Path) -> None:
    head = _nest(files / "inner", "a", commit=True) / ".git" / "HEAD"
    head.unlink()
    os.mkfifo(head)


NESTINGS = (
    *(with_commits, without_commits, empty, twice, in_a_known_folder, in_place_of_a_file, with_odd_names),
    *(with_a_file_for_git, with_no_real_git, with_a_pipe_for_a_head),
)


@pytest.mark.parametrize("nesting", NESTINGS, ids=lambda nesting: nesting.__name__)
def test_files_of_inner_repositories_are_taken(nesting: Nesting, clone: Clone) -> None:
    """The files of a repository inside of the workspace are in the snapshot, and later changes in it as well."""
    start = clone.commit
    nesting(clone.files)
    clone.snapshot()
    assert clone.taken() == files_in(clone.files)

    (clone.files / "inner").mkdir(exist_ok=True)
    (clone.files / "inner" / "later").touch()
    clone.snapshot()
    assert b"inner/later" in clone.taken()
    assert clone.taken() == files_in(clone.files)

    clone.workspace.put_back(start)
    assert b"inner/later" not in files_in(clone.files)
    clone.snapshot()
    assert git(clone.root, "rev-parse", f"{clone.commit}^{{tree}}") == git(clone.root, "rev-parse", f"{start}^{{tree}}")


def test_ignored_files_of_inner_repositories_stay_out(clone: Clone) -> None:
    """What the outer patterns ignore does not come in because it lies in a repository of its own."""
    _nest(clone.files / "inner", "only.log", "build/x")
    _nest(clone.files / "build" / "vendor", "a", commit=True)
    taken = clone.snapshot()
    assert taken.changes == taken.left_out == ""


def test_an_inner_repository_that_was_empty_is_not_forgotten(clone: Clone) -> None:
    """A repository without files today is looked into again tomorrow."""
    _nest(clone.files / "inner")
    assert clone.snapshot().left_out == ""
    (clone.files / "inner" / "work").write_text("work")
    clone.snapshot()
    assert clone.taken()[b"inner/work"] == ("file", b"work")


@pytest.mark.parametrize(
    "name", [".gitignore", ".gitattributes", ".gitmodules", "src/.gitignore", "new/.gitattributes"]
)
@pytest.mark.parametrize("how", ["pipe", "link"])
def test_a_pipe_where_git_looks_for_a_text(name: str, how: str, clone: Clone, tmp_path: Path) -> None:
    """A pipe under a name that git reads is taken away and told of, instead of being waited at for ever."""
    place = clone.files / name
    place.parent.mkdir(exist_ok=True)
    place.unlink(missing_ok=True)
    os.mkfifo(tmp_path / "pipe")
    os.mkfifo(place) if how == "pipe" else place.symlink_to(tmp_path / "pipe")
    (clone.files / "work").touch()
    taken = clone.snapshot()
    assert f"`{name}`" in taken.left_out
    assert (tmp_path / "pipe").exists()
    assert b"work" in clone.taken()
    os.mkfifo(place)
    clone.workspace.put_back(taken.commit)
    clone.room.enter(taken.commit)
    os.mkfifo(clone.room.root / ".gitattributes")
    clone.room._used = True
    clone.room.enter(taken.commit)
    assert files_in(clone.room.root) == clone.taken()


def test_pipes_and_sockets_are_no_files(clone: Clone, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pipes and sockets among the files neither stop a snapshot nor get into it; one in place of a file is told of."""
    monkeypatch.chdir(clone.files)
    os.mkfifo("src/pipe")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("src/socket")
    (clone.files / "README.md").unlink()
    os.mkfifo("README.md")
    (clone.files / "work").touch()
    taken = clone.snapshot()
    assert "README.md" in taken.left_out
    assert {b"work", b"README.md"} <= clone.taken().keys()
    assert not {b"src/pipe", b"src/socket"} & clone.taken().keys()
    clone.workspace.put_back(taken.commit)
    assert (clone.files / "README.md").is_file()


def test_sweep_leaves_what_is_tracked_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All that is not tracked goes, whatever it is: folders, links, pipes, sockets, git folders; kept names stay."""
    root = tmp_path / "root"
    for name in (
        "a",
        "b/c/d",
        "b/x",
        "b/.git/config",
        ".git/config",
        ".venv/lib/x",
        "deps/.venv/x",
        "sub/inside",
        "e/f/g",
    ):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(name)
    monkeypatch.chdir(root)
    os.mkfifo("b/pipe")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket")
    (root / "out").symlink_to(tmp_path)
    (tmp_path / "outside").touch()
    sweep(root, {"a": "", "b/c/d": "", "missing/file": "", "sub": "1234", "e/f": ""}, [".venv"])
    left = sorted(str(path.relative_to(root)) for path in root.rglob("*"))
    assert left == [".venv", ".venv/lib", ".venv/lib/x", "a", "b", "b/c", "b/c/d", "e", "sub", "sub/inside"]
    assert (tmp_path / "outside").exists()


def test_sweep_does_not_go_through_a_link(tmp_path: Path) -> None:
    """A folder that was swapped for a link is not swept: what is behind it is somebody else's."""
    (tmp_path / "theirs").mkdir()
    (tmp_path / "theirs" / "file").touch()
    (tmp_path / "link").symlink_to(tmp_path / "theirs")
    with pytest.raises(NotADirectoryError):
        sweep(tmp_path / "link", {}, ())
    assert (tmp_path / "theirs" / "file").exists()


def test_delete_takes_a_link_and_not_its_goal(tmp_path: Path) -> None:
    """A link is removed itself; what is not there is no error."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "folder")
    delete(tmp_path / "link")
    delete(tmp_path / "nothing")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


def test_folders_without_permission_are_opened(ordinary_user: Path) -> None:
    """Folders that were made read-only or unreadable are swept and deleted all the same."""
    root = ordinary_user / "root"
    for name in ("a/b/c", "a/x/y/z", "kept/file"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).touch()
    for name, mode in {"a/x/y": 0o555, "a/x": 0, "a/b": 0o500, "kept": 0o111, "a": 0o500}.items():
        (root / name).chmod(mode)
    sweep(root, {"kept/file": ""}, ())
    assert [path.name for path in root.rglob("*")] == ["kept", "file"]
    (root / "kept").chmod(0o500)
    root.chmod(0o500)
    delete(root)
    assert not root.exists()


def test_clear_pipes_finds_inner_repositories(project: Repo) -> None:
    """The folders that have a `.git` are named, but for the root itself; git folders are not looked into."""
    _nest(project.root / "one" / "two")
    _nest(project.root / "one")
    (project.root / "one" / ".git" / "x" / ".git").mkdir(parents=True)
    assert [sorted(found) for found in clear_pipes(project.root)] == [[], ["one", "one/two"]]


def test_a_large_file_is_noticed(tmp_path: Path) -> None:
    """One file anywhere is enough, also one without content; what is outside, and git's own, is not looked into."""
    for name in (".git/pack", "node_modules/big", "src/small"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"x" * (1000 if "small" not in name else 10))
    assert not any_larger(tmp_path, 100, ["node_modules"])
    assert any_larger(tmp_path, 100, [])
    with (tmp_path / "src" / "sparse").open("wb") as file:
        file.truncate(10**9)
    assert any_larger(tmp_path, 10**8, ["node_modules"])
