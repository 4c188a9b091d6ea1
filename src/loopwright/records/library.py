"""What was learned: anti-patterns, success patterns, playbooks. Told to agents where they apply."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from loopwright.records.shape import ShapeError

EntryKind = Literal["anti_pattern", "success_pattern", "playbook"]
ENTRY_KINDS: tuple[EntryKind, ...] = get_args(EntryKind)
EntryStatus = Literal["active", "quarantined", "retired"]
"""`quarantined`: it holds commands or came from a transcript, and waits for a human."""


@dataclass(frozen=True)
class Entry:
    """One thing that was learned."""

    name: str
    """As its file is called: `read-the-error`."""
    kind: EntryKind
    title: str
    description: str
    """What happens, and why it matters."""
    remedy: str
    """What an agent is told."""
    detection: Sequence[str] = ()
    """The patterns that show it: types of signals, with a category where that matters: `tamper/tests`."""
    applies_to: Sequence[str] = ()
    """Task types; none means all."""
    role: str = "worker"
    date: str = ""
    source: str = ""
    """Where it comes from: `ships with Loopwright`, a person, the runs it was distilled from."""
    evidence: str = ""
    status: EntryStatus = "active"
    helpful: int = 0
    """Experiments in which it was proven to help."""
    harmful: int = 0
    """Experiments that ended with more harm than help, and releases with it that were rolled back."""


@dataclass(frozen=True)
class LibrarySettings:
    """How much of the library is told: `[library]`."""

    tokens: int = 1500
    """So many at most, for all entries together that one role is told."""

    def __post_init__(self) -> None:
        if self.tokens < 0:
            raise ShapeError(f"{self.tokens} is not possible here: it must be 0 or more", ("tokens",))
