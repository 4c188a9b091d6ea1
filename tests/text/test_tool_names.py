"""What a tool is, by its name."""

from __future__ import annotations

from loopwright.text.tool_names import is_shell, server_of


def test_shells_and_servers() -> None:
    """Agents name their shells differently; a tool of a server has the server's name in its own."""
    assert [is_shell(name) for name in ("Bash", "exec_command", "write_stdin", "Read", "")] == [True] * 3 + [False] * 2
    assert [server_of(name) for name in ("mcp__git_hub__list_issues", "mcp__x__y__z", "Read", "mcp__")] == [
        *("git_hub", "x", "", "")
    ]
