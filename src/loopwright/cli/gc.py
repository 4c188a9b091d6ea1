"""`loopwright gc`: room on the disk, and no work lost."""

from __future__ import annotations

import time
from pathlib import Path

import click

from loopwright.cli.options import duration, where
from loopwright.errors import BusyError, RepositoryError
from loopwright.records.identity import timestamp
from loopwright.records.run import Status
from loopwright.watching import Nobody
from loopwright.wire import open_project


@click.command()
@where
@click.option("--keep", "keep_s", type=duration, default="30d", show_default=True, help="Keep raw streams this long.")
@click.option("--dry-run", is_flag=True, help="Only say what would go.")
def gc(repo: Path, home: str | None, keep_s: float, dry_run: bool) -> None:
    """Remove the clones of ended runs and old raw streams. Branches, diffs, logs and the store stay.

    A run that was escalated or cancelled can still be resumed: its clone is made again from its branch.
    """
    project = open_project(repo, home)
    cycle = project.cycle(Nobody())
    limit = timestamp(time.time() - keep_s)
    clones = streams = freed = 0
    for run in cycle.notice_died(list(project.store.runs())):
        if run.status is Status.RUNNING:
            continue
        if Path(run.workspace).is_dir():
            try:
                freed += cycle.remove_clone(run) if not dry_run else 0
                clones += 1
            except (RepositoryError, BusyError) as error:
                click.echo(f"kept {run.workspace}: {error}", err=True)
        old = [] if (run.ended_at or "") > limit else list((Path(run.artifacts) / "raw").glob("*.gz"))
        streams += len(old)
        for path in old:
            freed += path.stat().st_size
            if not dry_run:
                path.unlink()
    verb = "would remove" if dry_run else "removed"
    size = f"{freed / 1e6:.1f} MB"
    click.echo(f"{verb} {clones} clones and {streams} raw streams ({size}); no branch was touched", err=True)
