"""What somebody thinks of a run: a judgement with its reason."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

BEST = 10.0
"""Scores go from 0 to this."""
_WORDS = {True: "pass", False: "fail", None: "not decided"}


def scored(score: float | None) -> str:
    """Write a score as it is written everywhere."""
    return "no score" if score is None else f"{score:.2f} of {BEST:g}"


@dataclass(frozen=True)
class ItemResult:
    """What one item of a rubric came to."""

    name: str
    score: float | None
    """From 0 to 10; None where nothing decided it."""
    holds: bool | None
    reason: str
    weight: float = 1.0
    must: bool = False
    kind: Literal["check", "question"] = "check"


@dataclass(frozen=True)
class Evaluation:
    """One judgement of one run."""

    id: str
    run_id: str
    created_at: str
    task_type: str
    prompt_hash: str = ""
    """Which prompt the agent had: its hash or its version."""
    passed: bool | None = None
    """None where nobody said so, or nobody could."""
    score: float | None = None
    """From 0 to 10, with two decimals."""
    reason: str = ""
    raw_output: str = ""
    """What the agent gave, as it was."""
    by: str = ""
    """Who judged: the program that sent it, or `critic`."""
    rubric: str = ""
    """Its name and version, such as `bug_fix 1`; empty where none was used."""
    rubric_hash: str = ""
    items: Sequence[ItemResult] = ()
    model: str = ""
    """Who answered its questions; empty where nobody was asked."""
    cost_usd: float = 0.0
    """What asking took."""

    @property
    def told(self) -> str:
        """What it came to, in few words."""
        by = self.rubric or self.by
        return f"{_WORDS[self.passed]}, {scored(self.score)}{f' by {by}' if by else ''}"

    @property
    def line(self) -> str:
        """What the critic thinks, wherever that is said in a line."""
        return f"critic: {self.told}: {' '.join(self.reason.split())}"

    @property
    def objections(self) -> list[str]:
        """What does not hold, and why: each in a line."""
        return [f"{item.name}: {item.reason}" for item in self.items if item.holds is False]
