"""How an agent works is counted by its calls."""

from __future__ import annotations

from export.samples import called, story
from loopwright.text.agent_habits import Habits, habits


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
