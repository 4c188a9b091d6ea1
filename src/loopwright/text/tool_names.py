"""A tool's name -> what kind of tool it is, in whichever agent."""

from __future__ import annotations

import re

SHELLS = frozenset(
    {
        *("bash", "shell", "sh", "terminal", "command", "run_command", "run_shell_command", "execute_command"),
        *("execute_bash", "bash_command", "local_shell", "run_terminal_cmd", "powershell", "exec_command", "exec"),
    }
)
"""They are called with a command."""
_OF_SHELLS = SHELLS | {"write_stdin", "bashoutput", "command_execution", "execute"}
_SERVER = re.compile(r"^mcp__(.+?)__")
DOES = {
    "read": frozenset({"cat", "head", "tail", "nl", "less"}),
    "grep": frozenset({"grep", "egrep", "rg", "ag"}),
    "glob": frozenset({"find", "fd"}),
}
"""A tool that many agents have -> the programs that do the same in a shell."""


def is_shell(tool: str) -> bool:
    """Say whether a tool runs commands."""
    return tool.lower() in _OF_SHELLS


def server_of(tool: str) -> str:
    """Name the server of tools (MCP) that a tool comes from; empty where it is the agent's own."""
    found = _SERVER.match(tool)
    return found[1] if found else ""
