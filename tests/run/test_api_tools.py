"""The tools of the agent `api`: what they do, and what they refuse."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import pytest

from loopwright.run.api_tools import ENTRIES_LIMIT, TEXT_LIMIT, TOOLS, Answer, Toolbox
from loopwright.run.enclosure import FILE_LIMIT
from world import alive, wait_for


@pytest.fixture
def box(tmp_path: Path) -> Toolbox:
    root = tmp_path / "work"
    root.mkdir()
    (root / "a.txt").write_text("one\ntwo\nthree\n")
    (tmp_path / "outside.txt").write_text("secret")
    return Toolbox(root, {"PATH": os.environ["PATH"], "TOLD": "yes"})


def use(box: Toolbox, name: str, **given: Any) -> Answer:
    return box.use(name, given)


def test_a_file_is_read_with_the_numbers_of_its_lines(box: Toolbox) -> None:
    """A file comes with line numbers, also in part; a folder is listed."""
    assert use(box, "Read", file_path="a.txt").text == "1\tone\n2\ttwo\n3\tthree"
    assert use(box, "Read", file_path="a.txt", offset=2, limit=1).text == "2\ttwo"
    assert use(box, "Read", file_path="a.txt", offset=9).text == "(no such lines)"
    assert use(box, "Read", file_path=".").text == "a.txt"


def test_a_file_is_written_and_edited(box: Toolbox, tmp_path: Path) -> None:
    """Folders are made, a text is replaced where it stands once, and bytes that are no text stay."""
    assert not use(box, "Write", file_path="deep/er/b.py", content="x = 1\r\n").is_error
    file = tmp_path / "work" / "deep" / "er" / "b.py"
    assert file.read_bytes() == b"x = 1\r\n"
    file.write_bytes(b"\xff one one")
    assert "2 times" in use(box, "Edit", file_path="deep/er/b.py", old_string="one", new_string="1").text
    assert not use(box, "Edit", file_path="deep/er/b.py", old_string="one", new_string="1", replace_all=True).is_error
    assert file.read_bytes() == b"\xff 1 1"
    assert "not found" in use(box, "Edit", file_path="deep/er/b.py", old_string="one", new_string="1").text
    assert use(box, "Edit", file_path="deep/er/b.py", old_string="", new_string="1").is_error


@pytest.mark.parametrize("name", ["../outside.txt", "/etc/passwd", "link", "folder/outside.txt", "a/../../outside.txt"])
@pytest.mark.parametrize("tool", ["Read", "Write", "Edit"])
def test_nothing_outside_is_reached(box: Toolbox, tmp_path: Path, name: str, tool: str) -> None:
    """A path that leaves the repository, also through a link, is denied, and nothing is done."""
    (tmp_path / "work" / "link").symlink_to(tmp_path / "outside.txt")
    (tmp_path / "work" / "folder").symlink_to(tmp_path)
    answer = use(box, tool, file_path=name, content="x", old_string="secret", new_string="x")
    assert answer.denied and answer.is_error
    assert "outside of the repository" in answer.text
    assert (tmp_path / "outside.txt").read_text() == "secret"


@pytest.mark.parametrize(
    ("tool", "given", "words"),
    [
        ("Delete", {}, "there is no tool `Delete`; there are: Read, Write, Edit, Bash"),
        ("Read", {}, "`Read` needs `file_path`"),
        ("Read", "no object", "`Read` needs `file_path`"),
        ("Read", {"file_path": 3}, "`file_path` of `Read` has to be of type string"),
        ("Read", {"file_path": "a.txt", "offset": 0}, "`offset` of `Read` has to be of type integer"),
        ("Read", {"file_path": "a.txt", "limit": True}, "`limit` of `Read` has to be of type integer"),
        ("Read", {"file_path": "nope"}, "No such file"),
        ("Read", {"file_path": "a\0b"}, "null"),
        ("Write", {"file_path": ".", "content": ""}, "is no file"),
        ("Write", {"file_path": "big", "content": "x" * (FILE_LIMIT + 1)}, "more than"),
    ],
)
def test_what_is_wrong_with_a_call_is_told(box: Toolbox, tool: str, given: object, words: str) -> None:
    """A call that can't be done is answered with what is wrong, and nothing is raised."""
    answer = box.use(tool, given)
    assert answer.is_error and not answer.denied
    assert words in answer.text


def test_what_is_no_file_or_too_big_is_not_read(box: Toolbox, tmp_path: Path) -> None:
    """A pipe is not waited for, and of a huge file nothing is held."""
    os.mkfifo(tmp_path / "work" / "pipe")
    assert "is no file" in use(box, "Read", file_path="pipe").text
    assert "is no file" in use(box, "Write", file_path="pipe", content="x").text
    with (tmp_path / "work" / "big").open("wb") as file:
        file.truncate(FILE_LIMIT + 1)
    assert "look at it with a command" in use(box, "Read", file_path="big").text


def test_long_results_are_cut_in_the_middle(box: Toolbox, tmp_path: Path) -> None:
    """What is too long keeps its head and its tail, with a note between."""
    (tmp_path / "work" / "long").write_text("first" + "x" * 3 * TEXT_LIMIT + "last")
    text = use(box, "Read", file_path="long").text
    assert len(text) < TEXT_LIMIT + 100
    assert text.startswith("1\tfirst") and text.endswith("last") and "characters cut …]" in text
    for number in range(ENTRIES_LIMIT + 1):
        (tmp_path / "work" / f"{number:04}").touch()
    assert "more …]" in use(box, "Read", file_path=".").text


def test_a_command_runs_at_the_root(box: Toolbox) -> None:
    """It sees the repository and the environment that was given, and its exit code comes first where it failed."""
    assert use(box, "Bash", command="cat a.txt | head -1; echo $TOLD").text == "one\nyes"
    assert use(box, "Bash", command="true").text == "(no output)"
    failed = use(box, "Bash", command="echo bad >&2; exit 3")
    assert (failed.text, failed.is_error) == ("Exit code 3\nbad", True)
    flood = use(box, "Bash", command="yes | head -c 1000000").text
    assert len(flood) < TEXT_LIMIT and "bytes cut …]" in flood


def test_a_command_that_takes_too_long_is_ended_with_all_that_it_started(box: Toolbox, tmp_path: Path) -> None:
    """At its time limit a command is ended, with what it put in the background and in a session of its own."""
    began = time.monotonic()
    answer = use(box, "Bash", command="setsid sleep 300 & echo $! > pid; echo begun; sleep 300", timeout=1)
    assert answer.is_error
    assert answer.text == "It took longer than 1 s and was ended.\nbegun"
    assert time.monotonic() - began < 20
    pid = int((tmp_path / "work" / "pid").read_text())
    wait_for(lambda: not alive(pid))


def test_every_tool_has_a_schema() -> None:
    """What a tool needs is required, and what it can do without is not."""
    schemas = {tool.name: tool.schema for tool in TOOLS}
    assert schemas["Read"]["required"] == ["file_path"]
    assert schemas["Edit"]["required"] == ["file_path", "old_string", "new_string"]
    assert set(schemas["Bash"]["properties"]) == {"command", "timeout"}
