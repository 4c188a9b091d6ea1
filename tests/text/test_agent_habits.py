"""How an agent works is counted by its calls."""

from __future__ import annotations

import pytest

from export.samples import called, story
from loopwright.records.event import Event, EventKind
from loopwright.text.agent_habits import Habits, habits, is_editing, is_reading


def test_reads_edits_and_retries() -> None:
    """Reads before the first edit, edits of what was read, and the same call again after it failed."""
    assert habits(story()) == Habits(
        reads=2,
        edits=1,
        reads_before_edit=2,
        edits_of_read=1,
        edits_of_known=1,
        retries=1,
        model_retries=1,
    )


def test_an_edit_of_what_nobody_read() -> None:
    """A file that was not read before counts as known once it is written."""
    calls = [called("Write", "1", path="/a"), called("Read", "2", path="/b"), called("Edit", "3", path="/a")]
    found = habits(calls)
    assert (found.reads_before_edit, found.edits_of_read, found.edits_of_known) == (0, 1, 2)


@pytest.mark.parametrize(
    ("tool", "command", "reading", "editing"),
    [
        ("Bash", "cat src/x.py", True, False),
        ("shell", "sed -n 1,5p x", True, False),
        ("shell", "sed -i s/a/b/ x", False, False),
        ("shell", "git log -1", True, False),
        ("shell", "git commit -m x", False, False),
        ("shell", "apply_patch <<EOF", False, True),
        ("read_file", None, True, False),
        ("replace", None, False, True),
        ("Task", None, False, False),
        (None, "", False, False),
    ],
)
def test_kinds_of_calls(tool: str | None, command: str | None, reading: bool, editing: bool) -> None:
    """Tools of all agents, and commands in a shell, are known as reading or editing."""
    call = Event(EventKind.TOOL_CALL, tool=tool, command=command)
    assert (is_reading(call), is_editing(call)) == (reading, editing)
