"""Copilot CLI's calls are told once, joined to their results, and a no is seen."""

from __future__ import annotations

from typing import Any

import pytest

from ingest.codex import of_kind
from ingest.copilot import answer, begun, done, line, request, told
from loopwright.records.event import EventKind


def test_a_call_is_told_once() -> None:
    """The message that asks for it has it, and the line that says that it begins."""
    events = told(answer("", request("c1", command="ls")), begun("c1", command="ls"), done("c1"), done("c1"))
    assert [event.kind for event in events] == [EventKind.TOOL_CALL, EventKind.TOOL_RESULT]
    assert (events[1].tool, events[1].command, events[1].duration_s) == ("bash", "ls", 1.0)
    assert len(told(begun("c2", "view", path="/a.py"))) == len(told(line("tool.user_requested", toolName="bash"))) == 1


def test_files_have_their_path() -> None:
    """A path is that of a file; what an editor calls its command is none of a shell."""
    call, other = told(
        begun("c1", "view", path="/a.py"), begun("c2", "str_replace_editor", command="view", path="/b.py")
    )
    assert (call.path, call.command, other.path, other.command) == ("/a.py", None, "/b.py", None)


@pytest.mark.parametrize(
    ("more", "code", "failed"),
    [
        ({"result": {"content": "no\n<exited with exit code 2>"}}, 2, True),
        ({"result": {"content": "ok\n<exited with exit code 0>"}}, 0, False),
        ({"result": {"content": "no\n<shellId: 0 completed with exit code 3>"}}, 3, True),
        ({"result": {"content": "<exited with exit code x>"}}, None, False),
        ({"result": {"content": "it ended with exit code 1"}}, None, False),
        ({"result": {"content": "<exited with exit code 1>" + "x" * 100}}, None, False),
        ({"shellExecution": {"exitCode": 3}}, 3, True),
        ({"result": {"content": "no", "contents": [{"type": "terminal", "exitCode": 1, "text": "no"}]}}, 1, True),
        ({"success": False, "error": {"message": "no such file"}, "result": None}, None, True),
        ({"result": "plain"}, None, False),
    ],
)
def test_how_a_call_ended(more: dict[str, Any], code: int | None, failed: bool) -> None:
    """The exit code stands in a field, in a part of the result, or at the very end of its text."""
    result = told(begun("c1", command="make"), done("c1", **more))[1]
    assert (result.exit_code, result.is_error, bool(result.fingerprint)) == (code, failed, failed)


@pytest.mark.parametrize(("code", "kind"), [("rejected", EventKind.REJECTION), ("denied", EventKind.DENIAL)])
def test_a_no_in_the_result_is_seen(code: str, kind: EventKind) -> None:
    """Who said it is told by the code of the error."""
    no = done("c1", success=False, error={"message": "no", "code": code}, result=None)
    _, result, said = told(begun("c1", command="rm -rf x"), no)
    assert (said.kind, said.command, result.is_error) == (kind, "rm -rf x", True)


def test_the_answer_to_a_question_is_seen_once() -> None:
    """A line of its own has the no, and the result that comes after it."""
    asked = line("permission.requested", requestId="r1", permissionRequest={"kind": "shell", "toolCallId": "c1"})
    for kind, expected in (
        ("denied-interactively-by-user", EventKind.REJECTION),
        ("denied-by-rules", EventKind.DENIAL),
    ):
        answered = line("permission.completed", requestId="r1", result={"kind": kind})
        no = done("c1", success=False, error={"message": "no", "code": "denied"}, result=None)
        events = told(begun("c1", command="rm -rf x"), asked, answered, no)
        assert [event.kind for event in events[1:]] == [expected, EventKind.TOOL_RESULT]
        assert events[1].command == "rm -rf x"
    approved = line("permission.completed", requestId="r1", result={"kind": "approved"})
    assert not of_kind(told(asked, approved), EventKind.REJECTION)
