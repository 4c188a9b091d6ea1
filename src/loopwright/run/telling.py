"""A run so far -> what the planner, the worker or the reviewer is to do next."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

from loopwright.ports import GOAL_ALONE
from loopwright.records.budget import Usage
from loopwright.records.check import Check, last_checks
from loopwright.records.run import LATER, Attempt, Comment, Ending, Run, of_worker
from loopwright.run.context import Context
from loopwright.run.prompt import Story, write_prompt, write_question
from loopwright.run.roles import PLAN_LIMIT, plan_prompt, review_prompt
from loopwright.run.verdicts import failed
from loopwright.run.worker import Assignment
from loopwright.run.workspace import Workspace

NOT_DONE = (None, Ending.CANCELLED, Ending.LOST, *LATER)
"""Such an attempt has to be made again."""


@dataclass(frozen=True)
class Telling:
    """Writes assignments. What the agent is told apart from the prompt is not in it."""

    workspace: Workspace
    told_apart: frozenset[str]
    """What of a profile the agent has a way of its own to be told."""
    confined: bool

    def wants_plan(self, run: Run, attempts: Sequence[Attempt]) -> bool:
        """Whether somebody has to plan first."""
        planned = any(past.role == "planner" and past.ending not in NOT_DONE for past in attempts)
        return run.profile.planning == "plan_then_execute" and not planned

    def planner(self, run: Run, attempts: Sequence[Attempt]) -> Assignment:
        prompt = plan_prompt(run.task, self._context(run, ()), run.profile.planner_prompt)
        return Assignment(len(attempts) + 1, prompt, role="planner")

    def worker(
        self,
        run: Run,
        attempts: Sequence[Attempt],
        checks: Sequence[Check],
        comments: Sequence[Comment],
        note: str,
        review: str = "",
        critic: str = "",
    ) -> Assignment:
        if GOAL_ALONE in self.told_apart:
            return Assignment(len(attempts) + 1, write_question(run.task, comments))
        plans = [past.output for past in attempts if past.role == "planner" and past.output]
        works = of_worker(attempts)
        context = self._context(run, checks)
        story = Story(works, checks, comments, note, context, plans[-1][-PLAN_LIMIT:] if plans else "", review, critic)
        apart = "system_prompt" in self.told_apart
        told = dataclasses.replace(run.profile, system_prompt="") if apart else run.profile
        prompt = write_prompt(run.task, told, story, confined=self.confined)
        return Assignment(len(attempts) + 1, prompt, *_conversation(run, works))

    def reviewer(self, run: Run, attempts: Sequence[Attempt]) -> Assignment:
        diff = self.workspace.diff(run.base, run.commit or run.base).decode(errors="replace")
        prompt = review_prompt(run.task, diff, run.profile.verifier_prompt)
        return Assignment(len(attempts) + 1, prompt, role="reviewer")

    def _context(self, run: Run, checks: Sequence[Check]) -> str:
        visible = [criterion.describe() for criterion in run.task.required if not criterion.held_out]
        evidence = [check.evidence for check in failed(last_checks(checks)) if not check.held_out]
        question = "\n".join([run.task.goal, *visible, *evidence])
        return Context(self.workspace.keeper, run.commit or run.base).bring(run.profile.context, question)


def _conversation(run: Run, works: Sequence[Attempt]) -> tuple[str, Usage]:
    """The agent's conversation to go on with, and what it has used; none where each iteration begins a new one."""
    known = [past for past in works if past.ending is not Ending.LOST]  # of one that was lost nobody knows the name
    name = known[-1].conversation if known else ""
    if not name or run.profile.conversation == "fresh":
        return "", Usage()
    return name, sum((past.tokens for past in works if past.conversation == name), Usage())
