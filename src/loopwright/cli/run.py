"""`loopwright run`: a task from flags or a file, to its end."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click

from loopwright.cli.criteria import criteria_options, protecting, protection_options, visible_criteria, with_protection
from loopwright.cli.leaving import cancelling
from loopwright.cli.left_behind import tell_left_behind
from loopwright.cli.opened import opened
from loopwright.cli.options import as_json, limit, money, where
from loopwright.cli.output import print_result
from loopwright.cli.terminal import Terminal
from loopwright.errors import UsageError
from loopwright.records.criterion import Criterion
from loopwright.records.event import EventKind
from loopwright.records.profile import Profile, RoleProfile
from loopwright.records.task import CRITIC_MODES, TASK_TYPES, Task
from loopwright.registry import kinds
from loopwright.run.criteria.test import TestCriteria
from loopwright.wire import Project, task_defaults


@click.command()
@click.argument("goal", required=False)
@where
@click.option("--task", "task_file", type=click.Path(path_type=Path), metavar="FILE", help="A task in TOML or YAML.")
@click.option("--base", metavar="REV", help="The commit to start from.  [default: HEAD]")
@click.option("--task-type", type=click.Choice(TASK_TYPES), help="Read from the goal where it is not given.")
@click.option("--profile", default="", metavar="NAME", help="A profile of the settings file.")
@criteria_options
@click.option("--held-out-test", "held_out", multiple=True, metavar="CMD", help="Never shown, checked at the end.")
@click.option("--agent", default="", metavar="NAME", help="Who works.  [default: the setting, else what is installed]")
@click.option(
    "--agent-command", default="", metavar="CMD", help="Any program as the agent; it reads the prompt from stdin."
)
@click.option("--model", default="", metavar="M", help="For the agent.")
@click.option("--planner", default="", metavar="NAME", help="The agent that plans, where a profile has that done.")
@click.option("--planner-model", default="", metavar="M", help="For the planner.")
@click.option("--verifier", default="", metavar="NAME", help="The agent that reviews, where a profile has that done.")
@click.option("--verifier-model", default="", metavar="M", help="For the verifier.")
@click.option("--max-iterations", type=click.IntRange(min=1), metavar="N", help="[default: 12]")
@click.option("--max-cost", type=money, metavar="USD", help="For the whole run.")
@click.option("--max-tokens", type=click.IntRange(min=1), metavar="N", help="For the whole run.")
@click.option("--timeout", "timeout_s", type=limit, help="For the whole run.  [default: 2h]")
@click.option("--idle-timeout", "idle_timeout_s", type=limit, help="A silent agent is ended.  [default: 10m]")
@click.option("--no-escalate", is_flag=True, help="End as failed instead of asking a human.")
@protection_options
@click.option(
    "--critic", type=click.Choice(CRITIC_MODES), help="Whether a critic decides as well (gate).  [default: advise]"
)
@click.option("--sandbox", type=click.Choice(["required", "auto", "off"]), help="[default: auto: where it works]")
@as_json
def run(goal: str | None, repo: Path, home: str | None, task_file: Path | None, as_json: bool, **flags: Any) -> int:
    """Run a task until its criteria hold.

    \b
    loopwright run "Fix the login" --test "pytest -q tests/test_login.py"
    loopwright run --task task.toml
    """
    project = opened(repo, home)
    defaults = task_defaults(project.settings)
    task = _task(goal, task_file, defaults, flags)
    if task_file is not None:
        task = protecting(task, task_file, project.repository.root)
    with cancelling() as cancel, Terminal(project.repository) as terminal:
        who = {name: flags[name] for name in _WHO}
        profile = named_profile(project, task, **who, roles=_roles(flags), say=terminal.say)
        cycle = project.cycle(terminal, cancel)
        tell_left_behind(cycle, terminal)
        result = cycle.run_task(task, profile)
    print_result(result, as_json, project.store.events(result.run_id, kind=EventKind.DENIAL))
    return result.exit_code


def named_profile(
    project: Project,
    task: Task,
    profile: str,
    agent: str,
    agent_command: str,
    model: str = "",
    roles: Mapping[str, RoleProfile] | None = None,
    say: Callable[[str], None] = lambda text: None,
) -> Profile:
    """Put together who works, as the flags say."""
    if agent_command and agent not in ("", "command"):
        raise UsageError("--agent-command goes with the agent `command`", "leave --agent out")
    options = {"command": agent_command} if agent_command else {}
    return project.profile(task, profile, agent, options, model, roles, say)


def _roles(flags: dict[str, Any]) -> dict[str, RoleProfile]:
    named = {name: RoleProfile(flags[name], flags[f"{name}_model"]) for name in ("planner", "verifier")}
    return {name: role for name, role in named.items() if role != RoleProfile()}


def _task(goal: str | None, task_file: Path | None, defaults: dict[str, Any], flags: dict[str, Any]) -> Task:
    over: dict[str, Any] = {name: flags[name] for name in _PLAIN if flags[name] is not None}
    if flags["no_escalate"]:
        over["escalate_on_failure"] = False
    if goal:
        over["goal"] = goal
    if task_file is not None:
        from loopwright.run.taskfile import read_task  # YAML takes 20 ms to import

        task = read_task(task_file, kinds, defaults, over, _criteria(flags))
    elif goal:
        task = Task(criteria=_criteria(flags), **{**defaults, **over})
    else:
        raise UsageError("there is no goal", 'say what is to be done: loopwright run "Fix it" --test "pytest -q"')
    return with_protection(task, flags)


def _criteria(flags: dict[str, Any]) -> list[Criterion]:
    return [*visible_criteria(flags), *[TestCriteria(command, held_out=True) for command in flags["held_out"]]]


_WHO = ("profile", "agent", "agent_command", "model")
_PLAIN = (
    "base",
    "task_type",
    "sandbox",
    "critic",
    "max_iterations",
    "max_cost",
    "max_tokens",
    "timeout_s",
    "idle_timeout_s",
)
