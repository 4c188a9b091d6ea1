"""What a human says to a review, understood: one of a few things, or nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Verb = Literal["deploy", "show", "more", "skip", "optimize", "roll_back", "feedback", "help"]


@dataclass(frozen=True)
class Answer:
    """One thing that is asked for."""

    verb: Verb
    items: tuple[int, ...] = ()
    """Numbers of the review's items; of `deploy`, none means all."""
    without: tuple[int, ...] = ()
    """Of `deploy`: the items that are taken out first."""
    now: bool = False
    """Of `deploy`: at once, on the human's own word."""
    name: str = ""
    """Of `roll_back`: a prompt or profile, or empty for what the last review released; of `feedback`: a run."""
    up: bool = True
    """Of `feedback`."""
