"""A command or a tool's name -> whether it waits for something: what fails again then is a question, and no loop."""

from __future__ import annotations

import re

from loopwright.records.event import Event
from loopwright.text.commands import parts_of

_TOOLS = frozenset(
    {
        *(
            "bashoutput",
            "taskoutput",
            "agentoutput",
            "write_stdin",
            "wait",
            "wait_agent",
            "read_bash",
            "get_terminal_output",
        ),
        *("read_terminal", "await_terminal", "sleep", "browser_wait_for", "check_command_status", "command_status"),
    }
)
_PROGRAMS = frozenset(
    {"sleep", "until", "while", "wait", "wait-for-it.sh", "wait-for-it", "wait-on", "pg_isready", "watch"}
)
_ASKING = frozenset(
    {"curl", "wget", "http", "nc", "ncat", "ping", "telnet", "redis-cli", "psql", "mysqladmin", "grpcurl"}
)
_STATES = frozenset(
    {
        *(("gh", "run"), ("gh", "pr"), ("gh", "workflow"), ("kubectl", "get"), ("kubectl", "rollout")),
        *(("kubectl", "wait"), ("kubectl", "describe"), ("docker", "ps"), ("docker", "inspect"), ("docker", "logs")),
        *(("systemctl", "status"), ("systemctl", "is-active"), ("helm", "status"), ("aws", "cloudformation")),
        *(("tmux", "capture-pane"), ("glab", "ci"), ("vercel", "inspect"), ("fly", "status")),
    }
)
_QUESTIONS = frozenset({"view", "watch", "checks", "list", "status", "ps", "get", "trace"})
_NOT_READY = re.compile(
    r"connection refused|ECONNREFUSED|couldn.t connect|failed to connect|not ready|still running|in progress|pending"
    r"|starting up|ContainerCreating|no such host|timed? ?out|503|502|empty reply",
    re.IGNORECASE,
)
_LOCKED = re.compile(
    r"index\.lock|another git process|cannot lock ref|could not get lock|waiting for (?:cache |file )?lock|lock held"
    r"|database is locked|resource temporarily unavailable|blocking waiting for file lock",
    re.IGNORECASE,
)
_SEEN = 3_000


def is_waiting(event: Event) -> bool:
    """Say whether a result is that of waiting: for a server, a job of others, a lock."""
    if (event.tool or "").lower() in _TOOLS:
        return True
    text = event.text[-_SEEN:]
    if event.is_error and _LOCKED.search(text):
        return True
    parts = parts_of(event.command) if event.command else ()
    if any(part.program in _PROGRAMS for part in parts):
        return True
    if any((part.program, part.verb) in _STATES and _QUESTIONS & set(part.words) for part in parts):
        return True
    return any(part.program in _ASKING for part in parts) and _NOT_READY.search(text) is not None
