"""What somebody thinks of a run: a judgement with its reason."""

from __future__ import annotations

from dataclasses import dataclass


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
    """None where nobody said so."""
    score: float | None = None
    """From 0 to 1."""
    reason: str = ""
    raw_output: str = ""
    """What the agent gave, as it was."""
    by: str = ""
    """Who judged: the program that sent it."""
