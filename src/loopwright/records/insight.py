"""What many runs say together: what keeps failing, what helps, and who does better."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Gap:
    """Like errors that come again in several runs."""

    fingerprint: str
    tool: str
    message: str
    """What one of them said."""
    runs: int
    times: int
    task_types: Sequence[str]
    agents: Sequence[str]
    example: str
    """A run in which it came."""


@dataclass(frozen=True)
class Remedied:
    """How often one remedy was tried after a failure, and the next go at the same thing went well."""

    remedy: str
    topic: str
    tries: int
    passes: int
    runs: int


@dataclass(frozen=True)
class Cell:
    """One run, as far as it is compared."""

    run_id: str
    repository: str
    goal: str
    agent: str
    model: str
    status: str
    source: str
    iterations: int
    cost_usd: float
    seconds: float
    reads_before_edit: int | None = None
    """None, as the two below, where the run was not looked at."""
    edits: int | None = None
    retries: int | None = None
