"""What waits for something, and what does not."""

from __future__ import annotations

import pytest

from loopwright.records.event import Event, EventKind
from loopwright.text.waiting_commands import is_waiting


@pytest.mark.parametrize(
    ("command", "text"),
    [
        ("sleep 5 && curl localhost", ""),
        ("curl -sf localhost:80/health", "Connection refused"),
        ("until nc -z db 5432; do sleep 1; done", ""),
        ("gh run watch 7", ""),
        ("gh pr checks 7 --watch=false", ""),
        ("kubectl get pods", ""),
        ("docker ps", ""),
        ("git fetch origin", "fatal: Unable to create '.git/index.lock': File exists."),
    ],
)
def test_waiting(command: str, text: str) -> None:
    """Sleeping, asking for a state, a server that is not there yet and a lock are waiting."""
    assert is_waiting(Event(EventKind.TOOL_RESULT, text, tool="Bash", command=command, is_error=True))


def test_tools_that_wait() -> None:
    """Tools that look at what runs in the background wait."""
    assert is_waiting(Event(EventKind.TOOL_RESULT, tool="BashOutput"))
    assert is_waiting(Event(EventKind.TOOL_RESULT, tool="write_stdin"))


@pytest.mark.parametrize("command", ["make", "gh pr create", "docker build .", "git fetch", "curl https://x.test/a"])
def test_not_waiting(command: str) -> None:
    """What does something, and fails at it, does not wait."""
    assert not is_waiting(Event(EventKind.TOOL_RESULT, "error: 404", tool="Bash", command=command, is_error=True))
