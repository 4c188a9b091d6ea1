"""Changes by which checks see less; the table of the detector `tamper` has more."""

from __future__ import annotations

import pytest

from loopwright.text.changes import Change
from loopwright.text.narrowed import left_out, unseen


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("setup.cfg", "addopts = --deselect=tests/test_a.py"),
        ("tox.ini", "commands = pytest -k 'not test_a'"),
        ("tests/conftest.py", "collect_ignore_glob = ['test_*.py']"),
        ("tests/conftest.py", "def pytest_ignore_collect(collection_path):"),
        ("playwright.config.ts", "testIgnore: 'login.spec.ts',"),
        ("Cargo.toml", "autotests = false"),
        ("jest.config.cjs", "testPathIgnorePatterns: ['<rootDir>/src/add.test.js'],"),
    ],
)
def test_tests_that_are_not_run(path: str, line: str) -> None:
    """The line that leaves tests out is given; where it was there before, or in another file, it is none."""
    assert left_out(Change(path, "a", f"a\n{line}")) == line
    assert left_out(Change(path, f"a\n{line}", f"b\n{line}")) == ""
    assert left_out(Change("src/a.txt", "a", f"a\n{line}")) == ""
    assert left_out(Change(path, "", f"a\n{line}", is_whole=True)) == ""


@pytest.mark.parametrize(
    "line",
    [
        *("/* eslint-disable */", "/* tslint:disable */", "// @ts-nocheck", "# type: ignore", "# mypy: ignore-errors"),
        *("# ruff: noqa", "# flake8: noqa", "# pylint: skip-file", "# rubocop:disable all", "#![allow(warnings)]"),
    ],
)
def test_files_that_no_check_reads(line: str) -> None:
    """A whole file that is kept from a checker is told; a new one, one that was so, and a made one are not."""
    assert unseen(Change("src/a", "x", f"{line}\nx")) == line
    assert unseen(Change("src/a", f"{line}\nx", f"{line}\ny")) == ""
    assert unseen(Change("src/a", "", f"{line}\nx", is_whole=True)) == ""
    assert unseen(Change("src/vendor/a", "x", f"{line}\nx")) == ""


@pytest.mark.parametrize(
    "line", ["x = 1  # type: ignore", "# type: ignore[import]  # of x", "// eslint-disable-line", "# noqa", "x  # noqa"]
)
def test_single_lines(line: str) -> None:
    """To keep a checker off one line is usual."""
    assert unseen(Change("src/a", "x", f"{line}\nx")) == ""
