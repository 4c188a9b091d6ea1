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
        ("docker inspect -f '{{.State}}' web | grep -q healthy", ""),
        ("systemctl is-active web", "inactive"),
        ("service web status", "stopped"),
        ("./scripts/wait-for-it.sh db:5432", "timeout"),
        ("aws ecs describe-services --cluster a | jq -e .x", ""),
        ("timeout 30 bash -c 'until nc -z db 5432; do sleep 1; done'", ""),
        ("ssh web docker ps | grep web", ""),
        ("curl -sf localhost/readyz", "curl: (22) error: 404"),
        ("curl -s x.test/a | grep done", ""),
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
    assert is_waiting(Event(EventKind.TOOL_RESULT, tool="getBuildStatus"))
    assert not is_waiting(Event(EventKind.TOOL_RESULT, tool="Edit"))


def test_a_question_that_is_wrong() -> None:
    """Who asks for a state in a wrong way, or may not ask, does not wait."""
    for text in ("unknown flag: --foo", "Error: Access denied", "usage: docker inspect NAME"):
        assert not is_waiting(Event(EventKind.TOOL_RESULT, text, tool="Bash", command="docker inspect x")), text


@pytest.mark.parametrize(
    "command",
    [
        *("make", "gh pr create", "docker build .", "git fetch", "curl https://x.test/a", "git status", "go get x"),
        *("make status", "./tool status", "docker compose up", "kubectl apply -f a.yml"),
    ],
)
def test_not_waiting(command: str) -> None:
    """What does something, and fails at it, does not wait."""
    assert not is_waiting(Event(EventKind.TOOL_RESULT, "error: 404", tool="Bash", command=command, is_error=True))
