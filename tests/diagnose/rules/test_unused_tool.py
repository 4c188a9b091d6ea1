"""Tools that are offered and never called."""

from __future__ import annotations

from diagnose.samples import cases, standing, window
from loopwright.diagnose.rules.unused_tool import unused_tool
from loopwright.records.window import Command, Offered, Used

CASES = cases(8)
SERVER = ("mcp__browser__open", "mcp__browser__click")


def offered(*tools: str, goal: str = "Mend the parser", sessions: int = 8) -> list[Offered]:
    return [Offered(f"bug_fix-{number}", goal, tools) for number in range(sessions)]


def test_a_server_of_tools_that_nobody_calls() -> None:
    """It costs tokens in every request; where goals name it, it is a capability that lies idle."""
    (idle,) = unused_tool(window(CASES, offered=offered(*SERVER, "Other")))
    assert (idle.finding.key, idle.finding.goal, idle.stands) == ("unused_tool/server/browser", "cost", True)
    assert (idle.finding.sessions, idle.finding.of, idle.finding.waste_tokens) == (8, 8, 2400)
    (fits,) = unused_tool(window(CASES, offered=offered(*SERVER, goal="Click through the page in the browser")))
    assert (fits.finding.goal, "though tasks name it" in fits.finding.title) == ("capabilities", True)


def test_what_is_called_once_is_used() -> None:
    """Also by one session of many; and a few sessions say nothing."""
    called = [Used("bug_fix-3", "mcp__browser__click", 1, 0, 0.0)]
    (looked,) = unused_tool(window(CASES, offered=offered(*SERVER), used=called))
    assert (looked.stands, looked.finding.sessions, looked.finding.of) == (False, 7, 8)
    assert standing(list(unused_tool(window(CASES, offered=offered(*SERVER, sessions=4))))) == []


def test_a_tool_whose_work_a_shell_does() -> None:
    """Searching by commands while the tool for it is never called is told; behind a pipe nothing is searched."""
    commands = [Command(one.run_id, f"cd src && {text}") for one in CASES for text in ("grep -rn x .", "rg y")]
    found = list(unused_tool(window(CASES, offered=offered("Grep", "Bash"), commands=commands)))
    assert standing(found) == ["unused_tool/grep"]
    assert "16 times in 8" in found[0].finding.detail
    piped = [Command(one.run_id, "make test | grep FAIL") for one in CASES for _ in range(5)]
    assert standing(list(unused_tool(window(CASES, offered=offered("Grep"), commands=piped)))) == []
    called = [Used("bug_fix-3", "Grep", 1, 0, 0.0)]
    assert standing(list(unused_tool(window(CASES, offered=offered("Grep"), commands=commands, used=called)))) == []


def test_where_nobody_says_what_is_offered() -> None:
    """Nothing can be said."""
    assert list(unused_tool(window(CASES))) == []
