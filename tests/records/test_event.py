"""Events are known again in a copy of their session, and never taken for those of another."""

from __future__ import annotations

import pytest

from loopwright.records.event import Event, EventKind

LONG = "toolu_" + "1" * 24


@pytest.mark.parametrize(
    ("call_id", "at", "mark"),
    [
        (LONG, "", LONG),
        (LONG, "now", LONG),
        ("call_1", "now", "call_1 now"),
        ("functions.NotebookEdit:12", "now", "functions.NotebookEdit:12 now"),
        ("call_1", "", ""),
        (None, "now", ""),
        ("x" * 300, "now", "x" * 200 + " now"),
    ],
)
def test_a_mark_is_what_only_a_copy_has(call_id: str | None, at: str, mark: str) -> None:
    """A long id tells by itself, a short or a counted one with its time, and none where there is neither."""
    assert Event(EventKind.TOOL_CALL, call_id=call_id, at=at).mark == mark


def test_the_mark_of_tokens_is_their_message() -> None:
    """Whatever was used, it is the message's."""
    assert Event(EventKind.USAGE, data={"message": LONG}).mark == LONG
