"""A session of an agent that ran elsewhere: what is known of it besides the run that it became."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from loopwright.records.budget import Usage
from loopwright.records.event import Event
from loopwright.records.run import Attempt, Run, Step


@dataclass(frozen=True)
class DailyUsage:
    """What one model used on one day of a session."""

    day: str
    """In UTC, as 2026-11-16; empty where no time was told."""
    model: str
    tokens: Usage = Usage()
    cost_usd: float | None = None
    """None where nobody knows the model's prices."""


@dataclass(frozen=True)
class Session:
    """One session, and what it comes to."""

    run_id: str
    format: str
    session_id: str
    """What the agent calls it."""
    path: str
    """The file in which it was found; empty where it was sent."""
    project: str = ""
    """The folder that the agent worked in."""
    agent_version: str = ""
    active_s: float = 0.0
    """How long somebody did something: pauses count up to five minutes."""
    prompts: int = 0
    interrupts: int = 0
    rejections: int = 0
    raw_lines: int = 0
    """What nothing understood; it is kept as it was."""
    masked: int = 0
    reread: Mapping[str, int] = field(default_factory=dict)
    """The files that were read again and again, and how often."""
    attributes: Mapping[str, Any] = field(default_factory=dict)
    """What else the record said of the session as a whole."""
    usage: Sequence[DailyUsage] = ()
    has_content: bool = True
    """False where only the structure was stored, and no text."""


@dataclass(frozen=True)
class Source:
    """A file in which sessions were looked for, as it was then: one that has not changed is not read again."""

    path: str
    size: int
    mtime_ns: int
    format: str = ""
    """Empty where it holds no session."""
    note: str = ""
    """What was wrong with it."""
    runs: Sequence[str] = ()
    has_content: bool = True
    reader: int = 0
    """The version of the reader: what an older one has read is read again."""


@dataclass(frozen=True)
class Observation:
    """A session, or the next part of a long one, as it is written."""

    run: Run
    step: Step
    attempt: Attempt
    session: Session
    events: Sequence[Event]
    first: int = 1
    """The number of the first event. With 1, what was there of the session before is replaced."""
    heads: Sequence[str] = ()
    """Ids of its first messages: another session that has one of them was continued from it, or is a copy."""
    weight: int = 0
    """About how many characters the events have."""
