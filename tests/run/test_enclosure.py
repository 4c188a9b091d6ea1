"""A folder that is not left."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from loopwright.run.enclosure import FILE_LIMIT, Denied, Enclosure


def test_files_are_read_and_written(tmp_path: Path) -> None:
    """By a relative name and by a full one; folders are made."""
    files = Enclosure(tmp_path)
    files.write("deep/a", b"one")
    assert files.read(str(tmp_path / "deep" / "a")) == b"one"
    assert files.path(".") == tmp_path.resolve()


@pytest.mark.parametrize("name", ["..", "../x", "/etc/passwd", "link/x", "missing/../../x"])
def test_it_is_not_left(tmp_path: Path, name: str) -> None:
    """What lies outside is denied, also behind a link and where it does not exist."""
    root = tmp_path / "root"
    root.mkdir()
    (root / "link").symlink_to(tmp_path)
    files = Enclosure(root)
    for reach in (files.path, files.read, lambda name: files.write(name, b"")):
        with pytest.raises(Denied, match="outside of the repository"):
            reach(name)
    assert not (tmp_path / "x").exists()


def test_a_root_that_is_a_link_is_no_way_out(tmp_path: Path) -> None:
    """The folder may itself be named through a link."""
    (tmp_path / "real").mkdir()
    (tmp_path / "named").symlink_to(tmp_path / "real")
    files = Enclosure(tmp_path / "named")
    files.write(str(tmp_path / "named" / "a"), b"one")
    assert (tmp_path / "real" / "a").read_bytes() == b"one"


def test_pipes_and_big_files_are_refused(tmp_path: Path) -> None:
    """Nothing is waited for, and nothing that is too big is held."""
    os.mkfifo(tmp_path / "pipe")
    with (tmp_path / "big").open("wb") as file:
        file.truncate(FILE_LIMIT + 1)
    files = Enclosure(tmp_path)
    for name in ("pipe", "big", "."):
        with pytest.raises((OSError, ValueError)):
            files.read(name)
    with pytest.raises(ValueError, match="no file"):
        files.write("pipe", b"x")
    with pytest.raises(ValueError, match="more than"):
        files.write("new", b"x" * (FILE_LIMIT + 1))
