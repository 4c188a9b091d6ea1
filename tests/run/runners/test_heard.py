from __future__ import annotations

import sys
from pathlib import Path

import pytest

from loopwright.run.runners.cargo import Cargo
from loopwright.run.runners.go import Go
from loopwright.run.runners.heard import Heard, heard, through_listener


@pytest.mark.parametrize("argv", [["go", "test"], ["cargo", "test"]])
def test_a_missing_program(argv: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that is not there is started as it was named, so that all can see that it is missing."""
    monkeypatch.setenv("PATH", "/nowhere")
    runner = Go() if argv[0] == "go" else Cargo()
    assert runner.equip(argv, tmp_path, tmp_path).argv[0] == argv[0]


def test_a_program_of_the_tree(tmp_path: Path) -> None:
    """A program that is named by its place is looked for in the tree."""
    assert through_listener(["./run", "x"], tmp_path, tmp_path, "go", {}).argv == ["./run", "x"]
    (tmp_path / "run").write_text("#!/bin/sh\n")
    (tmp_path / "run").chmod(0o755)
    equipped = through_listener(["./run", "x"], tmp_path, tmp_path, "go", {"A": "b"})
    assert (equipped.argv[0], equipped.argv[-2:], equipped.environment) == (sys.executable, ["./run", "x"], {"A": "b"})


def test_heard(tmp_path: Path) -> None:
    """What the listener wrote is read, and nothing else."""
    assert heard(tmp_path) is None
    (tmp_path / "heard.json").write_text('{"exit_code": 2, "lines": ["a"]}')
    assert heard(tmp_path) == Heard(2, ("a",))
