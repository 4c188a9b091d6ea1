"""A report on code -> a task with criteria, run as any other."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from loopwright.cli.criteria import visible_criteria
from loopwright.cli.leaving import cancelling
from loopwright.cli.output import print_result
from loopwright.cli.run import named_profile
from loopwright.cli.terminal import Terminal
from loopwright.errors import UsageError
from loopwright.patch.code import task_goal
from loopwright.records.criterion import Criterion
from loopwright.records.event import EventKind
from loopwright.records.identity import short
from loopwright.records.patch import Patch
from loopwright.records.run import Status
from loopwright.records.task import Task
from loopwright.wire import Project, task_defaults


def run_patch(project: Project, patch_id: str, flags: Mapping[str, Any], as_json: bool) -> int:
    """Run the task that a report is; what it came to is written on the patch."""
    patch = project.store.patches.find(patch_id)
    if patch.surface != "code" or patch.status not in ("proposed", "applied"):
        hint = f"see: loopwright patches show {short(patch.id)}"
        raise UsageError(f"the patch can't be run: it is a {patch.type}, {patch.status}", hint)
    criteria = visible_criteria(dict(flags)) or _criteria_behind(project, patch)
    task = Task(goal=task_goal(patch), criteria=criteria, **task_defaults(project.settings))
    with cancelling() as cancel, Terminal(project.repository) as terminal:
        who = (flags["profile"], flags["agent"], flags["agent_command"])
        profile = named_profile(project, task, *who, say=terminal.say)
        result = project.cycle(terminal, cancel).run_task(task, profile)
    if result.status is Status.DONE:
        done = dataclasses.replace(patch, status="applied", why=f"done by run {short(result.run_id)}")
        project.store.patches.save(done, patch.status)
    print_result(result, as_json, project.store.events(result.run_id, kind=EventKind.DENIAL))
    return result.exit_code


def _criteria_behind(project: Project, patch: Patch) -> Sequence[Criterion]:
    """Give the criteria of the first run behind a patch that is of this repository."""
    for run_id in patch.runs:
        run = project.store.run(run_id)
        if run.repository == str(project.repository.root) and not run.source and run.task.criteria:
            return [criterion for criterion in run.task.criteria if not criterion.held_out]
    raise UsageError("nothing says when this is done", 'name a criterion: --test "pytest -q"')
