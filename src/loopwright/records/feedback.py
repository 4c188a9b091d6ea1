"""What a human thinks of a run: thumbs up or down."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Feedback:
    """One human's word."""

    id: str
    run_id: str
    at: str
    is_up: bool
    comment: str = ""
    by: str = ""
    """Who said it, and where: a name of this machine, a chat, the page."""
