"""A change that was tried and did not help: never to be proposed again."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Negative:
    """One line of the ledger of negative results."""

    at: str
    what: str
    """What was changed: a parameter, or a version by its title."""
    value: str
    """To what; of a version, the hash of what it says."""
    reason: str
    """What spoke against it: the evidence, or why it was rolled back."""
