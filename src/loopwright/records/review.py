"""A batch of patches put before a human, and what they said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Literal

from loopwright.records.finding import Change, Goal
from loopwright.records.identity import canonical_hash

ReviewStatus = Literal["pending", "deployed", "rejected", "expired"]
Proof = Literal["proven", "promising", "untested", "none"]
"""How much is known of an item: shown by an experiment; better so far; not tried; nothing to try."""


@dataclass(frozen=True)
class Item:
    """One line of a review."""

    number: int
    goal: Goal
    title: str
    detail: str
    waste_usd: float
    proof: Proof
    finding: str
    """The key of the finding."""
    change: Change = "new"
    patch: str = ""
    """The id of the patch; empty where there is none to make."""
    patch_hash: str = ""
    """What would be changed, as it was shown."""
    is_deployable: bool = False
    """Whether an answer alone can deploy it; the others need a human's hand."""


@dataclass(frozen=True)
class Compared:
    """What a prompt version came to, before and after a release."""

    name: str
    before: str
    after: str
    runs_before: int
    runs_after: int
    passed_before: int
    passed_after: int
    cost_before: float
    cost_after: float
    """For each run, in US dollars."""
    verdict: Literal["better", "worse", "not more than chance"]


@dataclass(frozen=True)
class Review:
    """What a human is asked."""

    id: str
    number: int
    created_at: str
    expires_at: str
    window_hours: float
    sessions: int
    cost_usd: float
    """What all of them cost."""
    items: Sequence[Item] = ()
    compared: Sequence[Compared] = ()
    status: ReviewStatus = "pending"
    spent_usd: float = 0.0
    """What the analysis itself cost."""

    @property
    def shown(self) -> str:
        """Name what was shown: an approval is bound to it."""
        return canonical_hash({"number": self.number, "items": [asdict(item) for item in self.items]})


@dataclass(frozen=True)
class Said:
    """What somebody answered, and what was done about it."""

    id: str
    review_id: str
    at: str
    by: str
    channel: str
    words: str
    shown: str
    """The hash of what they saw."""
    outcome: str = ""
    """What came of it, line by line."""
    done: bool = False
    """Whether all that it asks for was done."""
