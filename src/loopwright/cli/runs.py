"""`loopwright runs`: what was run here."""

from __future__ import annotations

from pathlib import Path

import click

from loopwright.cli.opened import opened
from loopwright.cli.options import as_json, where
from loopwright.cli.output import print_json, print_runs, run_row


@click.command()
@where
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="The newest N.")
@as_json
def runs(repo: Path, home: str | None, limit: int | None, as_json: bool) -> None:
    """List the runs, the newest first."""
    project = opened(repo, home)
    found = project.cycle().notice_died(list(project.store.runs(limit)))
    if as_json:
        print_json([run_row(run) for run in found])
    elif found:
        print_runs(found)
    else:
        click.echo('there is no run yet; start one: loopwright run "Fix the login" --test "pytest -q"', err=True)
