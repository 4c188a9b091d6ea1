"""Empty git folders."""

from __future__ import annotations

import functools
import subprocess
from pathlib import Path

from loopwright.run.git_folder import borrow, lenders, make_folder


def make(git_dir: Path) -> None:
    subprocess.run(["git", "init", "-q", "--bare", "--template=", str(git_dir)], check=True)


def made(git_dir: Path) -> Path:
    make(git_dir)
    return git_dir


def never() -> None:
    raise AssertionError("git need not be asked")


def test_the_second_is_made_like_the_first_and_git_takes_it(tmp_path: Path) -> None:
    """Git is asked once; what is made without it holds the same settings and works."""
    one, two = tmp_path / "folders" / "one", tmp_path / "folders" / "two"
    make_folder(one, ("test", str(tmp_path)), functools.partial(make, one))
    make_folder(two, ("test", str(tmp_path)), never)
    assert (two / "config").read_bytes() == (one / "config").read_bytes()
    words = ["git", f"--git-dir={two}", "hash-object", "-w", "--stdin"]
    assert subprocess.run(words, input=b"x", capture_output=True, check=True).stdout.strip()


def test_a_folder_that_is_there_teaches_nothing(tmp_path: Path) -> None:
    """What somebody has written into a config is not copied into others."""
    kind = ("other", str(tmp_path))
    config = made(tmp_path / "theirs") / "config"
    config.write_text(config.read_text() + "[alias]\n\tx = !evil\n")
    make_folder(tmp_path / "theirs", kind, functools.partial(make, tmp_path / "theirs"))
    make_folder(tmp_path / "ours", kind, functools.partial(make, tmp_path / "ours"))
    assert "evil" not in (tmp_path / "ours" / "config").read_text()
    make_folder(tmp_path / "more", kind, never)
    assert "evil" not in (tmp_path / "more" / "config").read_text()


def test_objects_are_borrowed_and_odd_names_quoted(tmp_path: Path) -> None:
    """A git folder reads what another one holds, and knows where its history is cut."""
    common = made(tmp_path / "common")
    words = ["git", f"--git-dir={common}", "hash-object", "-w", "--stdin"]
    blob = subprocess.run(words, input=b"x", capture_output=True, check=True, text=False).stdout.decode().strip()
    (common / "shallow").write_bytes(b"")
    borrower = made(tmp_path / "borrower")
    borrow(borrower, common)
    shown = subprocess.run(["git", f"--git-dir={borrower}", "cat-file", "-p", blob], capture_output=True, check=True)
    assert (shown.stdout, (borrower / "shallow").exists()) == (b"x", True)
    assert lenders(Path("/a"), Path('/"b\nc')).splitlines()[0] == b"/a/objects"
    assert lenders(Path("x"), Path('"b\nc')).splitlines()[1] == b'"\\"b\\nc"'
