from __future__ import annotations

import pytest

from loopwright import FileCriteria, Profile, Task
from loopwright.records.budget import Budget, Spent, Usage
from loopwright.records.extension import Extension, extended
from loopwright.records.run import Attempt, Ending, Run, Status

TASK = Task(
    "x", [FileCriteria("a")], max_iterations=5, max_cost=2.0, max_tokens=1000, timeout_s=60.0, idle_timeout_s=9.0
)
SPENT = Spent(5, 1.5, Usage(300, 100), 40.0)


def resumed(status: Status, extension: Extension, task: Task = TASK, last: Ending | None = Ending.FINISHED) -> Budget:
    made = Run("r", task, Profile(), "/repo", "b", "br", "/w", "/a", task.budget, "t", status, spent=SPENT)
    attempts = [Attempt(str(number), "r", "s", number, "t", ending=Ending.FINISHED) for number in range(1, 5)]
    attempts.append(Attempt("5", "r", "s", 5, "t", ending=last))
    return extended(made, extension, attempts)


@pytest.mark.parametrize("status", [Status.ESCALATED, Status.FAILED])
def test_put_before_a_human(status: Status) -> None:
    """A run that was put before a human gets the task's own allowance once more, on top of what it used."""
    assert resumed(status, Extension()) == Budget(10, 3.5, 1400, 100.0, 9.0)


@pytest.mark.parametrize("status", [Status.CANCELLED, Status.RUNNING])
def test_interrupted(status: Status) -> None:
    """A run that was interrupted, or whose process died, keeps what was left."""
    assert resumed(status, Extension()) == TASK.budget


@pytest.mark.parametrize("status", [Status.CANCELLED, Status.ESCALATED, Status.FAILED])
def test_granted(status: Status) -> None:
    """What is granted counts from now on, whatever the task said and however the run ended."""
    budget = resumed(status, Extension(max_iterations=1, max_cost=0.5, timeout_s=10.0))
    assert (budget.max_iterations, budget.max_cost, budget.timeout_s) == (6, 2.0, 50.0)


def test_no_limit_stays_none() -> None:
    """Where the task has no limit of money or tokens, none appears, unless one is granted."""
    free = Task("x", [FileCriteria("a")])
    budget = resumed(Status.ESCALATED, Extension(), free)
    assert (budget.max_cost, budget.max_tokens) == (None, None)
    assert resumed(Status.ESCALATED, Extension(max_cost=1.0), free).max_cost == 2.5


@pytest.mark.parametrize("ending", [None, Ending.CANCELLED, Ending.LOST])
def test_an_attempt_that_was_cut_short(ending: Ending | None) -> None:
    """The last attempt can be made again when it was cut short, and only once."""
    assert resumed(Status.CANCELLED, Extension(), last=ending).max_iterations == 6
    more = Task("x", [FileCriteria("a")], max_iterations=9)
    assert resumed(Status.CANCELLED, Extension(), more, last=ending).max_iterations == 9
