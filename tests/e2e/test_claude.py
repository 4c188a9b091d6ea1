"""The real Claude Code through `loopwright run`: work that is done, and troubles that are told for what they are."""

from __future__ import annotations

from e2e.anthropic import in_turn, says, uses
from e2e.conftest import Claude

FIX = uses("Bash", command="echo 42 > answer", description="Write the answer")


def test_a_fix_in_one_go(claude: Claude) -> None:
    """A real tool call mends the file, the checks see it, and the record has model, version, call and result."""
    done = claude.run(in_turn(FIX, says("It is 42 now.")))
    assert (done.code, done.json["reason"], done.json["iterations"]) == (0, "criteria_met", 1)
    assert claude.repo.show(done.json["branch"], "answer") == "42"
    call, result = claude.events("tool_call")[0], claude.events("tool_result")[0]
    assert (call["tool"], call["command"], call["call_id"]) == ("Bash", "echo 42 > answer", result["call_id"])
    assert claude.endings() == ["finished"]
    assert claude.repo.query("SELECT unknown_lines FROM attempts") == [(0,)]
