"""One thing that happened: a tool call, a command, a message, an error, a verdict."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal

ErrorKind = Literal["PARSED_ERROR", "EXIT_ERROR"]
_LONG, _LONGEST = 20, 200


class EventKind(StrEnum):
    """What an event tells of."""

    SYSTEM = "system"
    """The agent's own news: its start, its model, its tools."""
    PROMPT = "prompt"
    """What a human, or a program in their place, said to the agent."""
    MESSAGE = "message"
    """Text of the agent."""
    THINKING = "thinking"
    TOOL_CALL = "tool_call"
    TOOL_RESULT = "tool_result"
    """The end of a tool call, joined to it by call_id; a shell's has command and exit_code, an edit's a path."""
    USAGE = "usage"
    RETRY = "retry"
    DENIAL = "denial"
    """A tool call that the agent's own permissions did not allow."""
    REJECTION = "rejection"
    """A tool call that a human did not want."""
    INTERRUPT = "interrupt"
    """A human stopped the agent."""
    ERROR = "error"
    VERDICT = "verdict"
    RESULT = "result"
    """The agent's own last word. Never evidence."""
    STDERR = "stderr"
    RAW = "raw"
    """A line that nothing understood, kept as it was."""
    NOTE = "note"
    """Something that Loopwright did: a commit, a limit, a human's comment."""


@dataclass(slots=True)  # not frozen as all other records: millions are made, and that takes six times as long
class Event:
    """What happened, when, and in which attempt. The recorder gives it its number and time; nobody changes it."""

    kind: EventKind
    text: str = ""
    tool: str | None = None
    call_id: str | None = None
    parent_call_id: str | None = None
    """The call of the subagent that it belongs to."""
    command: str | None = None
    exit_code: int | None = None
    path: str | None = None
    is_error: bool = False
    error_kind: ErrorKind | None = None
    fingerprint: str | None = None
    """The same for like errors: paths, numbers and hashes do not count."""
    duration_s: float | None = None
    data: Mapping[str, Any] = field(default_factory=dict)
    attempt_id: str | None = None
    seq: int = 0
    at: str = ""

    @property
    def name(self) -> str:
        """By what one knows it again in a copy of its session: what it belongs to, else when it was."""
        return f"{self.kind} {self.call_id or self.data.get('message') or self.at}"

    @property
    def mark(self) -> str:
        """What only a copy of it has as well: its id; empty where there is none that would tell.

        Some models count their calls: `functions.Bash:12` is there in many sessions, and tells only with its time.
        """
        told = str(self.call_id or self.data.get("message") or "")
        if _LONG <= len(told) <= _LONGEST and ":" not in told:
            return told
        return f"{told[:_LONGEST]} {self.at}" if told and self.at else ""
