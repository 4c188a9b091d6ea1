"""What tool calls of all agents change."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopwright.records.event import Event, EventKind
from loopwright.text.changes import Change, changes_of


def call(tool: str, command: str | None = None, **given: Any) -> Event:
    """Make a tool call."""
    return Event(EventKind.TOOL_CALL, tool=tool, command=command, path=given.get("file_path"), data={"input": given})


@pytest.mark.parametrize(
    "event",
    [
        call("Edit", file_path="a.py", old_string="x", new_string="y"),
        call("edit", filePath="a.py", oldString="x", newString="y"),
        call("replace", file_path="a.py", old_string="x", new_string="y"),
        call("str_replace_editor", command_=None, path="a.py", old_str="x", new_str="y"),
        call("MultiEdit", file_path="a.py", edits=[{"old_string": "x", "new_string": "y"}]),
        call("apply_patch", input="*** Begin Patch\n*** Update File: a.py\n@@\n-x\n+y\n*** End Patch"),
        call(
            "shell", command="apply_patch <<'E'\n*** Begin Patch\n*** Update File: a.py\n@@\n-x\n+y\n*** End Patch\nE"
        ),
    ],
)
def test_edits(event: Event) -> None:
    """Each agent's edit is the same change."""
    assert list(changes_of(event)) == [Change("a.py", "x", "y")]


def test_whole_files() -> None:
    """A file that is written anew is one whose past is not known."""
    (change,) = changes_of(call("Write", file_path="a.py", content="x"))
    assert (change.is_whole, change.is_edit) == (True, False)


def test_patches() -> None:
    """A patch can add, change and delete files; lines around a change are on both sides."""
    text = "*** Add File: b.py\n+new\n*** Update File: a.py\n@@\n same\n-x\n*** Delete File: c.py"
    found = list(changes_of(call("apply_patch", input=f"*** Begin Patch\n{text}\n*** End Patch")))
    assert [(change.path, change.old, change.new) for change in found[:2]] == [
        ("b.py", "", "new"),
        ("a.py", "same\nx", "same"),
    ]
    assert [(change.is_whole, change.is_deleted) for change in found] == [(True, False), (False, False), (False, True)]


def test_commands() -> None:
    """Of a command, the files that it deletes or writes are known."""
    found = changes_of(call("Bash", "rm -f a.py b.py && git rm c.py && echo x > d.py"))
    assert [change.path for change in found if change.is_deleted] == ["a.py", "b.py", "c.py"]
    assert [change.path for change in found if change.is_whole] == ["d.py"]


def test_other_calls() -> None:
    """What only looks changes nothing."""
    assert not changes_of(call("Read", file_path="a.py"))
    assert not changes_of(call("Bash", "cat a.py"))


_GIVEN = st.dictionaries(
    st.sampled_from(["file_path", "old_string", "edits", "input"]), st.text(max_size=30) | st.integers() | st.none()
)


@given(_GIVEN)
def test_nothing_is_too_odd(given: dict[str, Any]) -> None:
    """Whatever a tool is called with, there is an answer."""
    for tool in ("Edit", "apply_patch", "MultiEdit"):
        assert all(change.path for change in changes_of(Event(EventKind.TOOL_CALL, tool=tool, data={"input": given})))
