"""`loopwright land`: a finished run's work, on the branch where it belongs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click
from rich.console import Console
from rich.markup import escape

from loopwright.cli.leaving import cancelling
from loopwright.cli.opened import opened
from loopwright.cli.options import as_json, where
from loopwright.cli.output import check_line, console, print_json, telling
from loopwright.records.identity import short
from loopwright.run.landing import Landing
from loopwright.text.readable import readable


@click.command()
@click.argument("run", metavar="[RUN]", default="last")
@where
@click.option("--onto", default="", metavar="BRANCH", help="Where it goes.  [default: the one that is checked out]")
@click.option("--pull-request", is_flag=True, help="Push it and open a pull request with `gh`; BRANCH is not moved.")
@click.option("--with-settings", is_flag=True, help="Also what starts programs by itself: .envrc, .claude/, .vscode/ …")
@click.option("--remote", default="origin", metavar="NAME", show_default=True, help="For the pull request.")
@as_json
def land(
    run: str,
    repo: Path,
    home: str | None,
    onto: str,
    pull_request: bool,
    with_settings: bool,
    remote: str,
    as_json: bool,
) -> int:
    """Put the work of RUN on BRANCH as one commit.

    Where BRANCH has moved on since, the work is put on top of it and all criteria are checked again first.
    """
    project = opened(repo, home)
    run_id = project.store.find(run)
    with cancelling() as cancel:
        cycle = project.cycle(cancel=cancel)
        landing = cycle.land(run_id, onto, remote if pull_request else "", settings=with_settings)
        if cancel.is_set() and not landing.landed:
            raise click.Abort
    if as_json:
        print_json(_plain(run_id, landing))
    else:
        _print(run_id, landing)
    return 0 if landing.landed else 5


def _plain(run_id: str, landing: Landing) -> dict[str, object]:
    return {
        "schema": 1,
        "run_id": run_id,
        "landed": landing.landed,
        "branch": landing.branch,
        "commit": landing.commit,
        "conflicts": list(landing.conflicts),
        "left_out": list(landing.left_out),
        "steering": list(landing.steering),
        "unmet": [check.criterion for check in landing.unmet],
        "pull_request": landing.where or None,
    }


def _print(run_id: str, landing: Landing) -> None:
    out, name = console(), short(run_id)
    for check in landing.checks:
        out.print(check_line(check))
        if check in landing.unmet:
            for line in telling(check.evidence, 6):
                out.print(f"      {line}", markup=False)
    for path in landing.left_out:
        out.print(f"  [yellow]left out:[/yellow] {escape(readable(path))} (it was no part of the checks)")
    if landing.steering:
        out.print(f"[bold yellow]run {name} is not landed[/bold yellow]: these files start programs by themselves")
        _print_paths(out, landing.steering)
        out.print(f"  [dim]→[/dim] look at them: git diff {landing.branch} loopwright/{run_id}")
        out.print(f"  [dim]→[/dim] loopwright land {name} --with-settings")
    elif landing.conflicts:
        out.print(f"[bold yellow]run {name} does not fit[/bold yellow] on {landing.branch}; both changed:")
        _print_paths(out, landing.conflicts)
        out.print(f"  [dim]→[/dim] git merge loopwright/{run_id}  # and solve the conflict")
        out.print(f'  [dim]→[/dim] loopwright run "…" --base {escape(landing.branch)}  # do it again from there')
    elif landing.unmet:
        out.print(f"[bold yellow]run {name} is not landed[/bold yellow]: on {landing.branch} its criteria do not hold")
    else:
        goal = f"a pull request: {landing.where}" if landing.where else landing.branch
        out.print(f"[bold green]landed[/bold green]  run {name} on {escape(goal)}  ({landing.commit[:12]})")
        out.print(f"  [dim]→[/dim] the run's own branch is not needed any more: git branch -D loopwright/{run_id}")


def _print_paths(out: Console, paths: Sequence[str]) -> None:
    for path in paths:
        out.print(f"  {readable(path)}", markup=False)
