"""Each event is one line that says what happened, and all that is known of it when it is unfolded."""

from __future__ import annotations

from loopwright.export.events import listed
from loopwright.records.event import EventKind

from .samples import called, event, numbered, returned, used


def test_what_a_line_says() -> None:
    """A call says its command or file, a result what came of it, tokens their counts."""
    events = [called("Bash", "c", command="pytest -q"), returned("Bash", "c", "1 passed", command="pytest -q"),
              used("m", 10, 20, 30, 40), called("Find", "d")]  # fmt: skip
    written = listed(numbered(events, "a"))
    for words in ("pytest -q</span>", "1 passed</span>", "10 input, 20 output, 30 cache read</span>"):
        assert f'<span class="what">{words}' in written
    assert "$ pytest -q" in written


def test_what_belongs_to_a_subagent_and_what_failed_is_marked() -> None:
    """A subagent's events are set in, and errors stand out."""
    inner = event(EventKind.MESSAGE, "x", parent_call_id="c")
    failed = returned("Bash", "c", "no", is_error=True, exit_code=2)
    written = listed(numbered([inner, failed], "a"))
    assert 'class="event kind-message inner"' in written
    assert 'class="event kind-tool_result failed"' in written and "exit code 2" in written
