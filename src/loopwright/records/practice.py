"""How an agent went about one run: what failed, what helped, and its habits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Remedy = Literal["retry", "edit", "search", "diagnostic", "reading", "question"]


@dataclass(frozen=True)
class Failing:
    """Like errors of one run."""

    fingerprint: str
    tool: str
    count: int
    message: str
    """What the first of them said, cut."""


@dataclass(frozen=True)
class Recovery:
    """What an agent did between a failure and its next go at the same thing, and how often that went well."""

    remedy: Remedy
    topic: str
    """What was searched for, which program was asked; empty where that says nothing."""
    tries: int
    passes: int


@dataclass(frozen=True)
class Practice:
    """All that of one run."""

    run_id: str
    errors: Sequence[Failing] = ()
    recoveries: Sequence[Recovery] = ()
    reads_before_edit: int = 0
    edits: int = 0
    retries: int = 0
