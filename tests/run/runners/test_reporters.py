"""The lines of a report -> a tally; whoever wrote them."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopwright.run.runners.reporters import lend, read_reports

BEGIN, END = ["begin", "/x"], ["end", 0]


def report(folder: Path, *lines: Any, name: str = "1.jsonl") -> None:
    text = "".join(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in lines)
    (folder / name).write_text(text)


def test_no_report(tmp_path: Path) -> None:
    """An empty folder, and one with other files, holds no report."""
    assert read_reports(tmp_path) is None
    (tmp_path / "loopwright_report.py").touch()
    assert read_reports(tmp_path) is None


def test_a_report_without_an_end(tmp_path: Path) -> None:
    """A report that was never finished is none, and spoils the others."""
    report(tmp_path, BEGIN, ["found", "a", "a.py"], ["ended", "a", "passed"])
    assert read_reports(tmp_path) is None
    report(tmp_path, BEGIN, END, name="2.jsonl")
    assert read_reports(tmp_path) is None


def test_garbage_between_the_lines(tmp_path: Path) -> None:
    """Lines that no reporter writes count for nothing."""
    garbage = [
        "",
        "{",
        "null",
        "1",
        "[]",
        "{}",
        '"end"',
        "[" * 50_000,
        '["found"]',
        '["found", 1, 2]',
        '["ended", "a"]',
    ]
    garbage += ['["ended", "a", 1]', '["nonsense", "a"]', '["end"]', '["foreign", "x"]', '["trouble", 1]', "[[], {}]"]
    garbage += ['["ended", "a", "splendid"]']
    report(tmp_path, BEGIN, ["found", "a", "a.py"], *garbage, ["ended", "a", "passed"], *garbage, END)
    tally = read_reports(tmp_path)
    assert tally is not None
    assert (tally.outcomes, tally.files, tally.trouble, tally.foreign) == ({"a": "passed"}, {"a": "a.py"}, "", ())


def test_an_end_that_is_no_number(tmp_path: Path) -> None:
    """Only a number ends a report."""
    report(tmp_path, BEGIN, ["end", "0"], ["end", None])
    assert read_reports(tmp_path) is None


def test_a_failure_stays(tmp_path: Path) -> None:
    """A test that has failed once has failed, whatever is said of it later, as by a second phase or a rerun."""
    report(tmp_path, ["found", "a", "a.py"], ["ended", "a", "failed"], ["ended", "a", "passed"], ["end", 1])
    tally = read_reports(tmp_path)
    assert tally is not None
    assert tally.outcomes == {"a": "failed"}


@pytest.mark.parametrize(("code", "expected"), [(0, "skipped"), (1, "unrun")])
def test_what_was_found_and_never_run(code: int, expected: str, tmp_path: Path) -> None:
    """In a run that went well it was left out on purpose; in one that did not, nobody knows."""
    report(tmp_path, ["found", "a", "a.py"], ["end", code])
    tally = read_reports(tmp_path)
    assert tally is not None
    assert tally.outcomes == {"a": expected}


def test_several_reports(tmp_path: Path) -> None:
    """Reports are put together; a test that ran in two of them counts twice, and trouble and foreign files add up."""
    lines = (["found", "a", "a.py"], ["ended", "a", "passed"], ["trouble", "x"], ["foreign", ["/f"]], END)
    for number in (1, 2):
        report(tmp_path, *lines, name=f"{number}.jsonl")
    tally = read_reports(tmp_path)
    assert tally is not None
    assert tally.outcomes == {"a": "passed", "a (2)": "passed"}
    assert tally.files == {"a": "a.py", "a (2)": "a.py"}
    assert (tally.trouble, tally.foreign) == ("x, x", ("/f", "/f"))


def test_what_is_no_file(tmp_path: Path) -> None:
    """A link, a pipe and a folder in the place of a report are no reports, and nobody waits at them."""
    report(tmp_path, END, name="elsewhere.txt")
    (tmp_path / "1.jsonl").symlink_to("elsewhere.txt")
    assert read_reports(tmp_path) is None
    (tmp_path / "1.jsonl").unlink()
    os.mkfifo(tmp_path / "1.jsonl")
    assert read_reports(tmp_path) is None
    (tmp_path / "1.jsonl").unlink()
    (tmp_path / "1.jsonl").mkdir()
    assert read_reports(tmp_path) is None


def test_a_report_that_is_too_long(tmp_path: Path) -> None:
    """A file beyond all measure is not read."""
    with (tmp_path / "1.jsonl").open("w") as file:
        file.write('["end", 0]\n')
        file.truncate(60_000_000)
    assert read_reports(tmp_path) is None


@given(st.lists(st.one_of(st.text(), st.binary().map(lambda part: part.decode("latin-1")))))
def test_nothing_breaks_the_reader(tmp_path_factory: pytest.TempPathFactory, lines: list[str]) -> None:
    """Whatever is written, reading it gives a tally or none."""
    folder = tmp_path_factory.mktemp("report")
    (folder / "1.jsonl").write_text("\n".join([*lines, '["end", 0]']), encoding="utf-8", errors="surrogatepass")
    tally = read_reports(folder)
    assert tally is None or not tally.outcomes


def test_a_reporter_is_lent(tmp_path: Path) -> None:
    """What the project's Python loads is a copy, in a folder of ours."""
    lent = lend("loopwright_report.py", tmp_path)
    assert lent.parent == tmp_path
    assert "class Reporter" in lent.read_text()
