"""A goal, and how one knows that it is reached."""

from __future__ import annotations

import dataclasses
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from loopwright.errors import TaskError
from loopwright.records.budget import Budget
from loopwright.records.criterion import Criterion

TaskType = Literal["bug_fix", "feature", "refactor", "tests", "docs", "chore", "other"]
TASK_TYPES: tuple[str, ...] = get_args(TaskType)
CriticMode = Literal["gate", "advise", "off"]
CRITIC_MODES: tuple[str, ...] = get_args(CriticMode)


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
    sandbox: Literal["required", "auto", "off"] = "auto"
    """Whether the agent is confined: it must be, where it can be, or not."""
    hosts: Sequence[str] = ()
    """Whom the agent may reach from the sandbox, besides those that it needs itself."""
    critic: CriticMode = "advise"
    """What a critic's view of the work does: it sends it back, is only told, or nobody asks for it."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "criteria", tuple(self.criteria))
        object.__setattr__(self, "protect", tuple(self.protect))
        object.__setattr__(self, "allow", tuple(self.allow))
        object.__setattr__(self, "hosts", tuple(self.hosts))
        if not self.goal.strip():
            hint = 'say what is to be done: loopwright run "Fix the login" …'
            raise TaskError("the task has no goal", hint, "goal")
        self._check_criteria()
        if self.task_type and self.task_type not in TASK_TYPES:
            hint = f"one of: {', '.join(TASK_TYPES)}"
            raise TaskError(f"there is no task type `{self.task_type}`", hint, "task_type")
        if self.critic not in CRITIC_MODES:
            hint = f"one of: {', '.join(CRITIC_MODES)}"
            raise TaskError(f"there is no critic `{self.critic}`", hint, "critic")
        for spec in dataclasses.fields(Budget):
            value = getattr(self, spec.name)
            if value is not None and not value > 0:
                raise TaskError(f"`{spec.name}` is {value}: it must be more than 0", field=spec.name)
        try:
            shlex.split(self.revert_when)
        except ValueError as error:
            words = f"`revert_when` can't be split into words: {error}"
            raise TaskError(words, "close the quotation", "revert_when") from None

    def _check_criteria(self) -> None:
        if not self.criteria:
            hint = 'add one, such as --test "pytest -q", --file src/auth.py or --grep "src/main.py:require_auth"'
            raise TaskError("the task has no criterion: how would you know that it is done?", hint, "criteria")
        wrong = [item for item in self.criteria if not isinstance(item, Criterion)]
        if wrong:
            hint = 'write it as one: TestCriteria("pytest -q"), FileCriteria("x.py")'
            raise TaskError(f"`{wrong[0]!r}` is not a criterion", hint, "criteria")
        if not self.required:
            words = "every criterion is advisory: nothing would decide when it is done"
            raise TaskError(words, 'add one that decides, such as --test "pytest -q"', "criteria")
        if all(criterion.held_out for criterion in self.required):
            words = "every criterion is held out: the agent would not know what is asked"
            raise TaskError(words, "show at least one", "criteria")

    @property
    def required(self) -> Sequence[Criterion]:
        """The criteria that decide."""
        return [criterion for criterion in self.criteria if not criterion.advisory]

    @property
    def budget(self) -> Budget:
        return Budget(**{spec.name: getattr(self, spec.name) for spec in dataclasses.fields(Budget)})


@dataclass(frozen=True)
class Observed(Task):
    """What an agent was asked elsewhere: nobody said how one would know that it is done."""

    def __post_init__(self) -> None:
        """Take what was said, whatever it was."""
