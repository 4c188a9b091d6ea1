"""Tools of all agents: what they read, and what they change."""

from __future__ import annotations

from typing import Any

import pytest

from loopwright.records.event import Event, EventKind
from loopwright.text.touching import (
    Span,
    changed_by,
    changes_unnamed,
    edited_by,
    is_edit,
    is_reading,
    may_change,
    reads_files,
    spans_of,
)


def call(tool: str, **given: Any) -> Event:
    path = given.get("file_path") or given.get("filePath") or given.get("path")
    return Event(EventKind.TOOL_CALL, tool=tool, path=path, data={"input": given})


def run(command: str) -> Event:
    return Event(EventKind.TOOL_CALL, tool="Bash", command=command, data={"input": {"command": command}})


@pytest.mark.parametrize(
    ("event", "spans"),
    [
        (call("Read", file_path="a.py"), [Span("a.py", 1, 2000)]),
        (call("Read", file_path="a.py", offset=10, limit=5), [Span("a.py", 10, 14)]),
        (call("read", filePath="a.py", offset="10", limit="5"), [Span("a.py", 10, 14)]),
        (call("read_file", absolute_path="a.py", start_line=3, end_line=9), [Span("a.py", 3, 9)]),
        (call("view", path="a.py", view_range=[3, -1]), [Span("a.py", 3, -1)]),
        (call("str_replace_based_edit_tool", command="view", path="a.py"), [Span("a.py", 1, 2000)]),
        (call("Grep", path="a.py", pattern="x"), []),
        (call("Read"), []),
        (run("cat a.py b.py"), [Span("a.py", 1, 2000), Span("b.py", 1, 2000)]),
        (run("sed -n '5,9p' a.py"), [Span("a.py", 5, 9)]),
        (run("sed -n '5,+4p' a.py"), [Span("a.py", 5, 9)]),
        (run("nl -ba a.py | sed -n '5,9p'"), [Span("a.py", 5, 9)]),
        (run("head -30 a.py"), [Span("a.py", 1, 30)]),
        (run("tail -n 30 a.py"), [Span("a.py", -30, 0)]),
        (run("cat a.py | grep x"), []),
        (run("cat a.py > b.py"), []),
        (run("make"), []),
    ],
)
def test_what_is_read(event: Event, spans: list[Span]) -> None:
    """The lines are those that the call asks for, whatever the agent calls them."""
    assert spans_of(event) == spans


def test_what_is_edited() -> None:
    """The files of an edit are those that it names, in a patch too."""
    patch = "*** Begin Patch\n*** Update File: a.py\n@@\n*** Add File: b.py\n+x\n*** End Patch"
    assert edited_by(call("apply_patch", input=patch)) == ["a.py", "b.py"]
    assert edited_by(call("apply_patch", changes=[{"path": "a.py", "kind": "update"}])) == ["a.py"]
    assert edited_by(call("replace", file_path="a.py")) == ["a.py"]
    assert is_edit(call("MultiEdit", file_path="a.py"))
    assert is_edit(call("str_replace_based_edit_tool", command="insert", path="a.py"))
    assert not is_edit(call("str_replace_based_edit_tool", command="view", path="a.py"))
    assert is_edit(run("cd app && apply_patch <<'EOF'\n*** Begin Patch\nEOF"))
    assert not is_edit(run("make"))
    assert not is_edit(run("grep apply_patch a.py"))


@pytest.mark.parametrize(
    "command",
    [
        *("sed -i s/a/b/ a.py", "make > a.py", "git pull", "git stash pop", "mv a b", "npm install", "mise run fmt"),
        *("ruff check --fix", "go mod tidy", "python - <<'EOF'\nopen('a','w')\nEOF", "npm run format", "gofmt -w ."),
    ],
)
def test_commands_that_change(command: str) -> None:
    """What formats, generates, installs, moves or redirects may change files."""
    assert may_change(command)


@pytest.mark.parametrize(
    "command",
    [
        "pytest -q",
        "make",
        "go test ./...",
        "git status",
        "git stash list",
        "cat a > /tmp/x",
        "ls 2>/dev/null",
        "npm test",
    ],
)
def test_commands_that_do_not(command: str) -> None:
    """What builds, tests or looks does not."""
    assert not may_change(command)


def test_files_that_are_not_named() -> None:
    """Git, formatters and scripts change more than they name; what names its files changes those."""
    for command in (
        "git pull",
        "git stash",
        "git checkout v1.2",
        "patch -p1 < a.diff",
        "gofmt -w .",
        "git apply a.diff",
    ):
        assert changes_unnamed(command), command
    for command in (
        "git checkout a.py",
        "git restore -- a.py",
        "sed -i s/a/b/ a.py",
        "mv a b",
        "make > a.txt",
        "pytest",
    ):
        assert not changes_unnamed(command), command
    assert changes_unnamed("python3 - <<'EOF'\nopen('a', 'w').write('x')\nEOF")
    assert not changes_unnamed("python3 -c 'print(1)'")


def test_formatters() -> None:
    """What only puts code into shape can be left out."""
    for command in ("gofmt -w .", "mise run fmt", "npm run format", "prettier --write ."):
        assert may_change(command) and not may_change(command, formatting=False), command
    assert not may_change("prettier --check .")
    assert may_change("mise run fmt && sed -i s/a/b/ a.py", formatting=False)


def test_reading() -> None:
    """Searches, notes and commands that only look are reading; what runs or changes is not."""
    for event in (call("Grep", pattern="x"), call("TodoWrite"), call("read_file", path="a"), run("ls | head")):
        assert is_reading(event), event
    for event in (call("Edit", file_path="a"), run("make"), call("mcp__x__y")):
        assert not is_reading(event), event


@pytest.mark.parametrize(
    ("tool", "command", "reading", "editing"),
    [
        ("Bash", "cat src/x.py", True, False),
        ("shell", "sed -n 1,5p x", True, False),
        ("shell", "sed -i s/a/b/ x", False, False),
        ("shell", "git log -1", True, False),
        ("shell", "git commit -m x", False, False),
        ("shell", "apply_patch <<EOF", False, True),
        ("shell", "cd app && cat x | head -3", True, False),
        ("shell", "cat <<EOF > made.py\nx\nEOF", False, False),
        ("shell", "echo hello", False, False),
        ("WebSearch", None, False, False),
        ("TodoWrite", None, False, False),
        ("read_file", None, True, False),
        ("replace", None, False, True),
        ("Task", None, False, False),
        (None, "", False, False),
    ],
)
def test_kinds_of_calls(tool: str | None, command: str | None, reading: bool, editing: bool) -> None:
    """Tools of all agents, and commands in a shell, are known as reading or editing."""
    call = Event(EventKind.TOOL_CALL, tool=tool, command=command)
    assert (reads_files(call), is_edit(call)) == (reading, editing)


def test_files_that_a_command_changes() -> None:
    """They are named where all are known, and none where others may be changed too."""
    assert changed_by("echo x >> README.md && ls src/a.py") == ["README.md"]
    assert changed_by("sed -i 's/a/b/' README.md src/a.py") == ["README.md", "src/a.py"]
    assert changed_by("echo x >> README.md && git pull") == []
    assert changed_by("python -c 'x' README.md") == []
