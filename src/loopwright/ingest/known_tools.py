"""The tools of agents that nobody here has met -> what they are called with: a command, or a path."""

from __future__ import annotations

from loopwright.text.bounded import field, mapping
from loopwright.text.open_calls import Call
from loopwright.text.tool_names import SHELLS

_COMMANDS = ("command", "cmd", "keystrokes", "script", "code")
_PATHS = ("path", "file_path", "filepath", "filename", "file", "absolute_path", "notebook_path", "target_file")


def call_of(tool: str, given: object, began: float | None = None) -> Call:
    """Read a call: the command where the tool is a shell, else the path by one of its usual names."""
    told = mapping(given)
    command = _first(told, _COMMANDS) if tool.lower() in SHELLS else ""
    if not command and tool.lower() in SHELLS and isinstance(given, str):
        command = field(given)
    path = "" if command else _first(told, _PATHS)
    return Call(tool or None, command or None, path or None, began)


def _first(told: object, names: tuple[str, ...]) -> str:
    for name in names:
        value = mapping(told).get(name)
        if isinstance(value, list):
            value = " ".join(part for part in value if isinstance(part, str))
        if found := field(value):
            return found
    return ""
