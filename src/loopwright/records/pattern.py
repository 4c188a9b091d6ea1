"""Like signals that come again in many sessions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from loopwright.records.signal import Signal


class Case(NamedTuple):
    """What one session was, as far as a diagnosis asks."""

    run_id: str
    task_type: str
    agent: str
    model: str
    prompt_version: str
    source: str
    """Empty where Loopwright ran it."""
    status: str
    started_at: str
    passed: bool | None
    first_pass: bool | None
    iterations: int
    seconds: float
    tokens: int
    cost_usd: float
    tool_calls: int
    tool_errors: int


@dataclass(frozen=True)
class Pattern:
    """One kind of signal over many sessions."""

    key: str
    """Its type, and its category where it has one: the same whenever somebody looks."""
    type: str
    category: str
    signals: int
    sessions: int
    of: int
    """So many sessions were looked at."""
    seconds: float
    tokens: int
    cost_usd: float
    certainty: float
    """How likely one of them is right, from 0 to 1."""
    score: float
    """How often, how costly and how sure, in one number from 0 to 1: the higher, the more it matters."""
    task_types: Mapping[str, int]
    """Task type -> sessions of it."""
    agents: Mapping[str, int]
    runs: Sequence[str]
    """The sessions behind it, the dearest first."""
    example: Signal
