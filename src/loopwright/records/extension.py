"""What a human grants when a run is taken up again, and the limits that come of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from loopwright.records.budget import Budget
from loopwright.records.run import Attempt, Ending, Run, Status


@dataclass(frozen=True)
class Extension:
    """So much more, from now on. None: what the run had."""

    max_iterations: int | None = None
    max_cost: float | None = None
    timeout_s: float | None = None


def extended(run: Run, extension: Extension, attempts: Sequence[Attempt]) -> Budget:
    """The limits of a run that is taken up again.

    What is granted counts from now on. Where nothing is granted, an interrupted run keeps what was left, and one
    that was put before a human gets the task's own allowance once more. An attempt that was cut short can be made
    again, also where it was the last.
    """
    spent, task = run.spent, run.task
    again = run.status is Status.ESCALATED or run.status is Status.FAILED
    cut_short = bool(attempts) and attempts[-1].ending in (None, Ending.CANCELLED, Ending.LOST)

    def limit(granted: float | None, used: float, allowance: float | None, current: float | None) -> float | None:
        if granted is not None:
            return used + granted
        if again and allowance is not None:
            return used + allowance
        return current

    made = sum(attempt.counts for attempt in attempts)
    left = max(run.budget.max_iterations, made + cut_short)
    iterations = limit(extension.max_iterations, made, task.max_iterations, left)
    tokens = limit(None, spent.tokens.total, task.max_tokens, run.budget.max_tokens)
    return Budget(
        max_iterations=int(iterations or 0),
        max_cost=limit(extension.max_cost, spent.cost_usd, task.max_cost, run.budget.max_cost),
        max_tokens=None if tokens is None else int(tokens),
        timeout_s=limit(extension.timeout_s, spent.seconds, task.timeout_s, run.budget.timeout_s) or 0.0,
        idle_timeout_s=run.budget.idle_timeout_s,
    )
