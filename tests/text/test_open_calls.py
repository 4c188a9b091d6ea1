"""Calls and their results, joined."""

from __future__ import annotations

from loopwright.records.event import EventKind
from loopwright.text.open_calls import Call, OpenCalls, called


def test_a_result_is_joined_to_its_call() -> None:
    """The result has the tool, the command and the time of its call, once."""
    calls = OpenCalls()
    opened = calls.opened("1", Call("bash", "ls", None, 10.0), {"command": "ls"})
    assert (opened.kind, opened.data) == (EventKind.TOOL_CALL, {"input": {"command": "ls"}})
    denied = calls.denied("1", "not you")
    assert (denied.kind, denied.tool, denied.text) == (EventKind.DENIAL, "bash", "not you")
    closed = calls.closed("1", "no such file", is_error=True, exit_code=2, ended=12.0)
    assert (closed.tool, closed.command, closed.exit_code, closed.duration_s) == ("bash", "ls", 2, 2.0)
    assert closed.error_kind == "PARSED_ERROR"
    assert closed.fingerprint
    assert calls.closed("1", "", is_error=False).tool is None


def test_calls_that_nobody_answers_are_forgotten() -> None:
    """A thousand calls are waited for, and not more."""
    calls = OpenCalls()
    for number in range(1001):
        calls.opened(str(number), Call(str(number)), {})
    assert (calls.of("0").tool, calls.of("1").tool) == (None, "1")


def test_a_call_has_a_command_or_a_path() -> None:
    """The command is that of a shell alone; the path is found by the first name that has one."""
    shells = frozenset({"bash"})
    assert called("bash", {"command": "ls", "path": "a"}, shells, ("path",), 1.0) == Call("bash", "ls", None, 1.0)
    assert called("read", {"command": "ls", "path": "a"}, shells, ("file", "path"), None) == Call("read", None, "a")
    assert called("", {"path": 3}, shells, ("path",), "soon") == Call()
