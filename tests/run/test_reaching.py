from __future__ import annotations

import os
from pathlib import Path

import pytest

from loopwright.run.reaching import reached, read_file, write_file


def test_there_and_back(tmp_path: Path) -> None:
    """A file is written below folders that are made on the way, with its mode, and read again."""
    with reached(tmp_path, "a/b/c", make=True) as (folder, name):
        write_file(folder, name, b"x", 0o600)
    with reached(tmp_path, "a/b/c") as (folder, name):
        assert read_file(folder, name, 10) == b"x"
        assert read_file(folder, name, 0) is None
    assert (tmp_path / "a/b/c").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("name", ["", "/etc/x", "../x", "a/../../x"])
def test_out_of_the_folder(tmp_path: Path, name: str) -> None:
    """A path that leaves the folder is refused."""
    with pytest.raises(OSError), reached(tmp_path, name, make=True):
        pass


def test_links(tmp_path: Path) -> None:
    """No link is followed: one on the way is refused, one in a file's place is replaced and never read."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "x").write_text("theirs")
    root = tmp_path / "root"
    root.mkdir()
    (root / "a").symlink_to(outside)
    (root / "b").symlink_to(outside / "x")
    with pytest.raises(OSError), reached(root, "a/x", make=True):
        pass
    with reached(root, "b") as (folder, name):
        with pytest.raises(OSError):
            read_file(folder, name, 10)
        write_file(folder, name, b"mine")
    assert (root / "b").read_text() == "mine"
    assert (outside / "x").read_text() == "theirs"


def test_a_pipe(tmp_path: Path) -> None:
    """What is no file is not waited for."""
    os.mkfifo(tmp_path / "pipe")
    with reached(tmp_path, "pipe") as (folder, name):
        assert read_file(folder, name, 10) is None
