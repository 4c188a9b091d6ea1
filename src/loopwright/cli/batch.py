"""`loopwright batch`: several task files, one after the other or some at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import click

from loopwright.cli.criteria import protecting
from loopwright.cli.opened import opened
from loopwright.cli.options import as_json, where
from loopwright.cli.output import print_json, print_summary
from loopwright.cli.run import named_profile
from loopwright.cli.terminal import Terminal
from loopwright.errors import LoopwrightError, SetupError
from loopwright.interrupt import cancel_on_signals
from loopwright.records.run import Result
from loopwright.records.task import Task
from loopwright.registry import kinds
from loopwright.run.taskfile import read_task
from loopwright.wire import make_agent, task_defaults


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
    """Run the tasks in FILES. All of them are read before the first one starts.

    Leaves with 0 when all are done, else with the highest of their exit codes.
    """
    project = opened(repo, home)
    defaults = task_defaults(project.settings)
    root = project.repository.root
    tasks = [protecting(read_task(path, kinds, defaults), path, root) for path in files]
    chosen = named_profile(project.settings, profile, agent, agent_command)
    make_agent(chosen)  # or say now what is missing
    with cancel_on_signals() as cancel, Terminal(project.repository, several=True) as terminal:
        cycle = project.cycle(terminal, cancel)

        def work(task: Task) -> Result | LoopwrightError | None:
            if cancel.is_set():
                return None
            try:
                return cycle.run_task(task, chosen)
            except (LoopwrightError, OSError) as error:
                terminal.say(f"error: {error}")
                return error if isinstance(error, LoopwrightError) else SetupError(str(error))

        with ThreadPoolExecutor(parallel) as pool:
            ends = list(pool.map(work, tasks))
    results = [end for end in ends if isinstance(end, Result)]
    if as_json:
        print_json([result.to_dict() for result in results])
    else:
        print_summary(results, [task.goal for task, end in zip(tasks, ends, strict=True) if isinstance(end, Result)])
    return max(130 if end is None else end.exit_code for end in ends)
