from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from loopwright.records.tally import Tally
from loopwright.run.runners.sources import folders_with, passed_tests, plain_words, text_of, write_text


def test_text(tmp_path: Path) -> None:
    """A file of the tree is read as it is, and written as it was."""
    (tmp_path / "a").write_bytes(b"one\r\ntwo")
    assert text_of(tmp_path, "a") == "one\r\ntwo"
    write_text(tmp_path, "a", "one\r\nthree")
    assert (tmp_path / "a").read_bytes() == b"one\r\nthree"


@pytest.mark.parametrize(
    "name", ["absent", "folder", "link", "linked/a", "../outside", "/etc/hostname", "pipe", "bytes", "\0"]
)
def test_no_text(name: str, tmp_path: Path) -> None:
    """What is no text of the tree's own is not read: no link, no pipe, nothing outside."""
    root = tmp_path / "root"
    (root / "folder").mkdir(parents=True)
    (tmp_path / "outside").write_text("secret")
    (root / "folder" / "a").write_text("a")
    (root / "link").symlink_to(tmp_path / "outside")
    (root / "linked").symlink_to("folder")
    (root / "bytes").write_bytes(b"\xff")
    os.mkfifo(root / "pipe")
    assert text_of(root, name) is None


def test_a_tree_behind_a_link(tmp_path: Path) -> None:
    """The tree itself may be named by a link."""
    (tmp_path / "root").mkdir()
    (tmp_path / "root" / "a").write_text("a")
    (tmp_path / "link").symlink_to("root")
    assert text_of(tmp_path / "link", "a") == "a"


def test_folders(tmp_path: Path) -> None:
    """Folders are found with the file, not those of dependencies and of what was built."""
    for name in (".", "a/b", "node_modules/c", "target", ".hidden", "empty"):
        (tmp_path / name).mkdir(parents=True, exist_ok=True)
        (tmp_path / name / ("go.mod" if name != "empty" else "go.sum")).touch()
    assert list(folders_with(tmp_path, "go.mod")) == ["", "a/b"]


def test_passed_tests() -> None:
    """Only tests that passed and have a file are given, in an order that depends on nothing but the choice."""
    outcomes = {"a": "passed", "b": "failed", "c": "passed", "d": "skipped", "e": "passed"}
    tally = Tally("report", outcomes, {"a": "x", "b": "x", "e": "x", "d": "x"})  # type: ignore[arg-type]
    assert sorted(passed_tests(tally, random.Random(0))) == ["a", "e"]
    orders = {tuple(passed_tests(tally, random.Random(seed))) for seed in range(20)}
    assert orders == {("a", "e"), ("e", "a")}


def test_every_file_has_its_turn() -> None:
    """A file with very many tests does not keep the others from being tried."""
    files = {"other": "b", **{f"many {number}": "a" for number in range(1000)}}
    tally = Tally("report", dict.fromkeys(files, "passed"), files)
    assert all("other" in passed_tests(tally, random.Random(seed))[:2] for seed in range(5))


def test_words() -> None:
    """The words are different ones, and can be part of any name."""
    words = plain_words(random.Random(0))
    assert len(set(words)) == 3
    assert all(word.isalpha() and word.islower() for word in words)
    assert words != plain_words(random.Random(1))
