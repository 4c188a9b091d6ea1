"""`loopwright batch`: several task files, one after the other or some at once."""

from __future__ import annotations

from pathlib import Path

import click

from loopwright.choosing import make_agent
from loopwright.cli.board import Board
from loopwright.cli.criteria import protecting
from loopwright.cli.leaving import cancelling
from loopwright.cli.left_behind import tell_left_behind
from loopwright.cli.opened import opened
from loopwright.cli.options import as_json, where
from loopwright.cli.run import named_profile
from loopwright.cli.several import report, work_through
from loopwright.errors import LoopwrightError
from loopwright.registry import kinds
from loopwright.run.taskfile import read_task
from loopwright.wire import task_defaults


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@where
@click.option(
    "--parallel", type=click.IntRange(min=1), default=1, show_default=True, metavar="N", help="So many at once."
)
@click.option("--profile", default="", metavar="NAME", help="A profile of the settings file.")
@click.option("--agent", default="", metavar="NAME", help="Who works.")
@click.option("--agent-command", default="", metavar="CMD", help="Any program as the agent.")
@as_json
def batch(
    files: tuple[Path, ...],
    repo: Path,
    home: str | None,
    parallel: int,
    profile: str,
    agent: str,
    agent_command: str,
    as_json: bool,
) -> int:
    """Run the tasks in FILES. All of them are read and written down before the first one starts.

    Whatever ends it, `loopwright resume --all` goes on with what is left.
    Leaves with 0 when all are done, else with the highest of their exit codes.
    """
    project = opened(repo, home)
    defaults = task_defaults(project.settings)
    root = project.repository.root
    tasks = [protecting(read_task(path, kinds, defaults), path, root) for path in files]
    chosen = [named_profile(project, task, profile, agent, agent_command, say=_say) for task in tasks]
    make_agent(chosen[0])  # or say now what is missing
    with cancelling() as cancel, Board(project.repository) as terminal:
        cycle = project.cycle(terminal, cancel)
        tell_left_behind(cycle, terminal)
        runs, failures = [], []
        for task, who in zip(tasks, chosen, strict=True):
            try:
                runs.append(cycle.queue_task(task, who))
            except LoopwrightError as error:
                terminal.say(f"error: {error}")
                failures.append(error)
        ends = work_through(cycle, runs, parallel, terminal, cancel)
    return max([report(runs, ends, as_json, terminal), *(error.exit_code for error in failures)])


def _say(text: str) -> None:
    click.echo(text, err=True)
