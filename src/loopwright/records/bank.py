"""Tasks that were finished, and can be done again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from loopwright.records.task import Task

Half = Literal["development", "held_out"]
HALVES: tuple[Half, ...] = get_args(Half)


@dataclass(frozen=True)
class BankTask:
    """One of them, with what its newest run came to."""

    unit: str
    """Its goal, where it starts and its criteria, hashed: the same task, whenever it comes."""
    task: Task
    """With the commit that it starts from."""
    task_type: str
    run_id: str
    commit: str
    """What that run left; empty where it left nothing."""
    passed: bool
    cost_usd: float
    seconds: float
    half: Half
    """Patches are made from one half and judged on the other. It never changes."""
