"""`loopwright close`: take a run out of the queue."""

from __future__ import annotations

from pathlib import Path

import click

from loopwright.cli.opened import opened
from loopwright.cli.options import where
from loopwright.errors import UsageError
from loopwright.records.identity import short


@click.command()
@click.argument("run", metavar="RUN")
@where
@click.option("--reason", required=True, metavar="TEXT", help="Why; it is kept with the run.")
def close(run: str, repo: Path, home: str | None, reason: str) -> None:
    """Take RUN out of the queue. Its branch and its record stay."""
    if not reason.strip():
        raise UsageError("the reason is empty", 'say why: --reason "done by hand"')
    project = opened(repo, home)
    closed = project.cycle().close(project.store.find(run), reason)
    click.echo(f"run {short(closed.id)} is closed; its work stays on {closed.branch}", err=True)
