"""One moment of friction or delight in a session, with its evidence."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

Severity = Literal["low", "medium", "high"]
SignalSource = Literal["rule", "judge", "trend"]


@dataclass(frozen=True)
class Moment:
    """What a detector has seen."""

    events: Sequence[int]
    """The numbers of the events that show it, in order; the first one tells it from others of its type."""
    description: str
    """What happened, so that a person can check it; names and numbers, no opinion."""
    action: str = ""
    """What to do about it."""
    severity: Severity = "medium"
    category: str = ""
    """A group of signals of one type, where the type alone says too little."""


@dataclass(frozen=True)
class Signal:
    """One moment of one run, and what it cost."""

    id: str
    """Made of the run, the type and the first event: who looks again finds the same one."""
    run_id: str
    type: str
    """The detector's name."""
    severity: Severity
    description: str
    events: Sequence[int]
    at: str = ""
    action: str = ""
    category: str = ""
    source: SignalSource = "rule"
    seconds: float = 0.0
    """What it took, from its first event to its last; pauses of a human count up to five minutes."""
    tokens: int = 0
    cost_usd: float = 0.0
    """Of the models whose prices are known."""
    is_wrong: bool | None = None
    """What a human said of it; None where nobody has."""
    confidence: float | None = None
    """How sure the judge is, from 0 to 1; None of a rule."""


def signal_id(run_id: str, type_name: str, first: int, source: SignalSource = "rule") -> str:
    """Name a signal."""
    return hashlib.sha256(f"{run_id}\x1f{type_name}\x1f{first}\x1f{source}".encode()).hexdigest()[:16]


def counted(signals: Iterable[Signal]) -> list[Signal]:
    """Give those that count: none that a human called wrong, and of the copies that forks have one."""
    found: dict[tuple[str, str, str], Signal] = {}
    for signal in signals:
        if not signal.is_wrong:
            found.setdefault((signal.type, signal.at or signal.id, signal.description), signal)
    return list(found.values())


@dataclass(frozen=True)
class Precision:
    """How often a detector fired, and what humans said of that."""

    type: str
    signals: int
    right: int
    wrong: int
