"""A session in short: what a report needs of it, without any of its events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from loopwright.records.budget import Usage
from loopwright.records.session import DailyUsage


@dataclass(frozen=True)
class ToolUse:
    """How one tool was used."""

    tool: str
    """Empty where the record does not name it."""
    calls: int = 0
    errors: int = 0
    """Results that are errors."""
    timed: int = 0
    """Results that say how long it took."""
    seconds: float = 0.0
    """Of those; where a human was asked first, the wait is in it."""


@dataclass(frozen=True)
class Portion:
    """What a session comes to in those of its events that the same sessions have."""

    runs: Sequence[str]
    """The runs of all sessions that have them, its own included."""
    started_at: str = ""
    ended_at: str = ""
    active_s: float = 0.0
    prompts: int = 0
    interrupts: int = 0
    rejections: int = 0
    raw_lines: int = 0
    reread: Mapping[str, int] = field(default_factory=dict)
    usage: Sequence[DailyUsage] = ()
    tools: Sequence[ToolUse] = ()


@dataclass(frozen=True)
class Summary:
    """One session, counted."""

    run_id: str
    session_id: str
    agent: str
    path: str
    """The file in which it was found; empty where it was sent."""
    project: str = ""
    model: str = ""
    goal: str = ""
    started_at: str = ""
    """Empty, as `ended_at`, where no time was told."""
    ended_at: str = ""
    duration_s: float = 0.0
    active_s: float = 0.0
    cost_usd: float = 0.0
    """Of the models whose prices are known."""
    tokens: Usage = Usage()
    prompts: int = 0
    interrupts: int = 0
    rejections: int = 0
    raw_lines: int = 0
    reread: Mapping[str, int] = field(default_factory=dict)
    usage: Sequence[DailyUsage] = ()
    tools: Sequence[ToolUse] = ()
    portions: Sequence[Portion] = ()
    """All of it in portions, where another session has some of it as well; otherwise none."""

    @cached_property
    def tool_calls(self) -> int:
        return sum(use.calls for use in self.tools)

    @cached_property
    def tool_errors(self) -> int:
        return sum(use.errors for use in self.tools)

    @property
    def unpriced(self) -> Sequence[str]:
        """Name the models whose prices nobody knows."""
        return sorted({used.model for used in self.usage if used.cost_usd is None})

    @property
    def is_understood(self) -> bool:
        """Say whether it has anything besides lines that nothing understood."""
        return bool(self.prompts or self.tokens.total or self.tools or not self.raw_lines)
