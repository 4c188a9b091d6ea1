"""`loopwright resume`: take a run up again."""

from __future__ import annotations

from pathlib import Path

import click

from loopwright.cli.board import Board
from loopwright.cli.leaving import cancelling
from loopwright.cli.opened import opened
from loopwright.cli.options import as_json, duration, limit, money, read_comment, where
from loopwright.cli.output import print_result
from loopwright.cli.several import report, work_through
from loopwright.cli.terminal import Terminal
from loopwright.errors import UsageError
from loopwright.records.event import EventKind
from loopwright.records.extension import Extension
from loopwright.wire import Project


@click.command()
@click.argument("run", metavar="RUN", required=False)
@where
@click.option("--all", "every", is_flag=True, help="All runs that were interrupted or never begun, the oldest first.")
@click.option("--since", "since_s", type=duration, default="1d", show_default=True, help="With --all: not older ones.")
@click.option("--parallel", type=click.IntRange(min=1), default=1, metavar="N", help="With --all: so many at once.")
@click.option("--comment", metavar="TEXT", help="The next instruction for the agent.")
@click.option("--max-iterations", type=click.IntRange(min=1), metavar="N", help="So many more.")
@click.option("--max-cost", type=money, metavar="USD", help="So much more.")
@click.option("--timeout", "timeout_s", type=limit, help="So much more.")
@click.option("--accept-taint", is_flag=True, help="What taints the run is right as it is; with --by and --reason.")
@click.option("--by", default="", metavar="NAME", help="Who says so.")
@click.option("--reason", default="", metavar="TEXT", help="Why.")
@as_json
def resume(
    run: str | None,
    repo: Path,
    home: str | None,
    every: bool,
    since_s: float,
    parallel: int,
    comment: str | None,
    max_iterations: int | None,
    max_cost: float | None,
    timeout_s: float | None,
    accept_taint: bool,
    by: str,
    reason: str,
    as_json: bool,
) -> int:
    """Take RUN up again: an interrupted one goes on, an escalated one gets its allowance once more.

    RUN is an id, its first or last digits, or `last`.
    """
    if every:
        if run or comment or accept_taint or max_iterations or max_cost or timeout_s:
            raise UsageError("--all takes every interrupted run up as it is", "say the rest of one run: resume RUN …")
        return _resume_all(opened(repo, home), since_s, parallel, as_json)
    if not run:
        raise UsageError("no run is named", "loopwright resume last, or an id from `loopwright runs`, or --all")
    if accept_taint != bool(by.strip() and reason.strip()) or bool(by) != bool(reason):
        hint = 'loopwright resume RUN --accept-taint --by Ada --reason "the test was wrong"'
        raise UsageError("--accept-taint, --by and --reason go together: it is a person's word", hint)
    words = read_comment(comment)
    project = opened(repo, home)
    run_id = project.store.find(run)
    extension = Extension(max_iterations, max_cost, timeout_s)
    with cancelling() as cancel, Terminal(project.repository) as terminal:
        result = project.cycle(terminal, cancel).resume(
            run_id, words, extension, (by, reason) if accept_taint else None
        )
    print_result(result, as_json, project.store.events(result.run_id, kind=EventKind.DENIAL))
    return result.exit_code


def _resume_all(project: Project, since_s: float, parallel: int, as_json: bool) -> int:
    with cancelling() as cancel, Board(project.repository) as terminal:
        cycle = project.cycle(terminal, cancel)
        runs, older = cycle.interrupted(since_s)
        if older:
            terminal.say(f"note: {older} that ended longer ago stay as they are; --since 30d takes up older ones")
        if not runs:
            terminal.say("nothing was interrupted: there is no run to go on with")
        return report(runs, work_through(cycle, runs, parallel, terminal, cancel), as_json, terminal)
