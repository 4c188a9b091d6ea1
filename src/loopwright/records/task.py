"""A goal, and how one knows that it is reached."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from loopwright.errors import TaskError
from loopwright.records.budget import Budget
from loopwright.records.criterion import Criterion

TaskType = Literal["bug_fix", "feature", "refactor", "tests", "docs", "chore", "other"]
TASK_TYPES: tuple[str, ...] = get_args(TaskType)


@dataclass(frozen=True)
class Task:
    """What is to be done, what must hold then, and what it may use."""

    goal: str
    criteria: Sequence[Criterion] = ()
    task_type: str = ""
    """One of TASK_TYPES; read from the goal by rules where it is empty."""
    base: str = "HEAD"
    """The commit that the work starts from."""
    max_iterations: int = 12
    max_cost: float | None = None
    """In US dollars."""
    max_tokens: int | None = None
    timeout_s: float = 7200.0
    idle_timeout_s: float = 600.0
    escalate_on_failure: bool = True
    """False: an unmet run ends as failed and is not put into the queue."""
    revert_when: str = ""
    """A command; where it fails after an attempt, the files go back to the last commit at which it passed."""
    protect: Sequence[str] = ()
    """More paths that the agent is judged by and may not change (globs)."""
    allow: Sequence[str] = ()
    """Paths that would be protected and may be changed after all (globs)."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "criteria", tuple(self.criteria))
        object.__setattr__(self, "protect", tuple(self.protect))
        object.__setattr__(self, "allow", tuple(self.allow))
        if not self.goal.strip():
            raise TaskError("the task has no goal", 'say what is to be done: loopwright run "Fix the login" …')
        if not self.criteria:
            raise TaskError(
                "the task has no criterion: how would you know that it is done?",
                'add one, such as --test "pytest -q", --file src/auth.py or --grep "src/main.py:require_auth"',
            )
        wrong = [item for item in self.criteria if not isinstance(item, Criterion)]
        if wrong:
            raise TaskError(
                f"`{wrong[0]!r}` is not a criterion", 'write it as one: TestCriteria("pytest -q"), FileCriteria("x.py")'
            )
        if all(criterion.held_out for criterion in self.criteria):
            raise TaskError("every criterion is held out: the agent would not know what is asked", "show at least one")
        if self.task_type and self.task_type not in TASK_TYPES:
            raise TaskError(f"there is no task type `{self.task_type}`", f"one of: {', '.join(TASK_TYPES)}")
        for name in ("max_iterations", "max_cost", "max_tokens", "timeout_s", "idle_timeout_s"):
            value = getattr(self, name)
            if value is not None and not value > 0:
                raise TaskError(f"`{name}` is {value}: it must be more than 0")

    @property
    def budget(self) -> Budget:
        return Budget(self.max_iterations, self.max_cost, self.max_tokens, self.timeout_s, self.idle_timeout_s)
