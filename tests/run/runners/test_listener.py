from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from loopwright.process.command import run_command
from loopwright.records.command import CommandResult
from loopwright.run.runners import listener


def listen(folder: Path, kind: str, *argv: str, timeout_s: float = 30) -> tuple[CommandResult, Any]:
    """Run argv through the listener; give how that went, and the report."""
    report = folder / "report"
    command = [sys.executable, "-I", str(listener.__file__), str(report), kind, *argv]
    done = run_command(command, cwd=folder, env={"PATH": os.environ["PATH"]}, timeout_s=timeout_s)
    assert [path.name for path in folder.iterdir() if path != report] == []
    return done, json.loads(report.read_text()) if report.exists() else None


def test_both_streams(tmp_path: Path) -> None:
    """The output is shown as it was written, in order; the lines that matter are kept without their colours."""
    script = (
        "echo '     Running a (b)' >&2; printf '\\033[32mtest a ... ok\\033[0m\\n'; echo more; echo failures:; exit 3"
    )
    done, report = listen(tmp_path, "cargo", "sh", "-c", script)
    assert done.exit_code == 3
    assert done.output == "     Running a (b)\n\033[32mtest a ... ok\033[0m\nmore\nfailures:\n"
    assert report == {"exit_code": 3, "lines": ["     Running a (b)", "test a ... ok", "failures:"]}


@pytest.mark.parametrize(("kind", "shown"), [("go", "=== RUN   TestA\nhello\n"), ("go-quiet", "hello\n")])
def test_events(kind: str, shown: str, tmp_path: Path) -> None:
    """Of events only what they quote is shown; what only quotes a test is not kept."""
    events = [
        {"Action": "run", "Package": "p", "Test": "TestA"},
        {"Action": "output", "Package": "p", "Test": "TestA", "Output": "=== RUN   TestA\n"},
        {"Action": "output", "Package": "p", "Test": "TestA", "Output": "hello\n"},
    ]
    (tmp_path / "report").write_text("".join(json.dumps(event) + "\n" for event in events))
    done, report = listen(tmp_path, kind, "cat", "report")
    assert (done.exit_code, done.output) == (0, shown)
    assert [json.loads(line) for line in report["lines"]] == events[:1]


@pytest.mark.parametrize("line", ["{", "{}", "[]", "{" * 5000, '{"Output": 1}', "\\377", "FAIL p [build failed]"])
def test_no_events(line: str, tmp_path: Path) -> None:
    """What is no event of a test is kept, and the listener goes on."""
    done, report = listen(tmp_path, "go", "printf", f"{line}\nlast\n")
    assert done.exit_code == 0
    assert done.output.endswith("last\n")
    assert len(report["lines"]) == 2


def test_a_signal(tmp_path: Path) -> None:
    """A command that was killed has the code that a shell would give it."""
    done, report = listen(tmp_path, "go", "sh", "-c", "kill -9 $$")
    assert (done.exit_code, report) == (137, {"exit_code": 137, "lines": []})


def test_a_process_that_stays(tmp_path: Path) -> None:
    """Somebody who holds on to the output does not hold us up."""
    done, report = listen(tmp_path, "cargo", "sh", "-c", "echo test a ... ok; sleep 60 &")
    assert done.duration_s < 20
    assert report == {"exit_code": 0, "lines": ["test a ... ok"]}


def test_no_end(tmp_path: Path) -> None:
    """A command that was ended from outside leaves no report."""
    done, report = listen(tmp_path, "cargo", "sh", "-c", "echo test a ... ok; sleep 60", timeout_s=1)
    assert (done.timed_out, done.output, report) == (True, "test a ... ok\n", None)


def test_missing(tmp_path: Path) -> None:
    """A program that is not there leaves no report."""
    done, report = listen(tmp_path, "go", "no-such-program")
    assert (done.exit_code, report) == (127, None)


def test_too_much(tmp_path: Path) -> None:
    """One who prints more than anybody would read leaves no report, and the output comes all the same."""
    script = "import sys\nfor _ in range(60): print('x' * 900_000, 'test a ... ok')\nsys.exit(5)"
    done, report = listen(tmp_path, "cargo", sys.executable, "-c", script)
    assert (done.exit_code, report) == (5, None)
    assert "bytes cut" in done.output
