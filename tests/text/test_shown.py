"""What a session has shown of its tests."""

from __future__ import annotations

from loopwright.records.event import Event, EventKind
from loopwright.text.bounded import FIELD_LIMIT
from loopwright.text.changes import Change
from loopwright.text.shown import Shown

_WHOLE = Change("test_a.py", "", "new", is_whole=True)


def _read(path: str) -> Event:
    return Event(EventKind.TOOL_CALL, tool="Read", path=path, data={"input": {"file_path": path}})


def test_what_was_read() -> None:
    """A file that is written anew gets what was read of it, without the numbers of its lines."""
    shown = Shown()
    assert shown.as_edit(_WHOLE) == _WHOLE
    shown.see(_read("test_a.py"), "     1→old\n     2→older", [])
    assert shown.as_edit(_WHOLE) == Change("test_a.py", "old\nolder", "new", is_whole=True)
    assert shown.as_edit(Change("test_a.py", "a", "b")) == Change("test_a.py", "a", "b")


def test_what_was_changed() -> None:
    """What was edited or written in between is what was there before."""
    shown = Shown()
    shown.see(_read("test_a.py"), "one two", [Change("test_a.py", "two", "three")])
    assert shown.as_edit(_WHOLE).old == "one three"
    shown.see(_read("b.py"), "", [_WHOLE])
    assert shown.as_edit(_WHOLE).old == "new"


def test_what_is_not_known() -> None:
    """Product code is not kept, and a text that may be cut is not held against anything."""
    shown = Shown()
    shown.see(_read("src/a.py"), "old", [])
    assert shown.as_edit(Change("src/a.py", "", "new", is_whole=True)).old == ""
    shown.see(_read("test_a.py"), "old", [])
    assert shown.as_edit(Change("test_a.py", "", "x" * FIELD_LIMIT, is_whole=True)).old == ""


def test_memory_is_bounded() -> None:
    """Only the newest files are kept."""
    shown = Shown()
    for number in range(200):
        shown.see(_read(f"test_{number}.py"), "x", [])
    assert shown.as_edit(Change("test_0.py", "", "new", is_whole=True)).old == ""
