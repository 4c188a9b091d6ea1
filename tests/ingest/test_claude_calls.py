"""Calls wait for their results without what they were given."""

from __future__ import annotations

import tracemalloc

from loopwright.ingest.claude_calls import Calls
from loopwright.ingest.claude_lines import Block, Line


def test_a_call_that_waits_holds_no_arguments() -> None:
    """A thousand may wait, and each may have been given megabytes; its result still knows its command."""
    calls = Calls()
    tracemalloc.start()
    for number in range(20):
        given = {"command": f"ls {number}", "more": [f"{number} {part}" + "a b " * 4000 for part in range(50)]}
        calls.called(Block("tool_use", id=f"c{number}", name="Bash", input=given), None, "")
    del given
    held = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert held < 1_000_000
    result = calls.returned(Block("tool_result", tool_use_id="c7", content="a"), Line(), None, "")
    assert result is not None and (result.tool, result.command, result.exit_code) == ("Bash", "ls 7", 0)
