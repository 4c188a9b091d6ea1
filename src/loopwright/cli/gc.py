"""`loopwright gc`: room on the disk, and no work lost."""

from __future__ import annotations

import time
from pathlib import Path

import click

from loopwright.cli.opened import opened
from loopwright.cli.options import duration, where
from loopwright.cli.output import console
from loopwright.records.identity import timestamp
from loopwright.store.retention import Removed
from loopwright.wire import Project

_WORTH_TELLING = 10_000_000
_SHRINK = "PRAGMA auto_vacuum = INCREMENTAL; VACUUM"


@click.command()
@where
@click.option(
    "--keep", "keep_s", type=duration, default="90d", show_default=True, help="Keep raw streams and events this long."
)
@click.option("--dry-run", is_flag=True, help="Only say what would go.")
def gc(repo: Path, home: str | None, keep_s: float, dry_run: bool) -> None:
    """Remove the clones of ended runs, and old raw streams and events. Branches, diffs, logs, checks and counts stay.

    A run that was escalated or cancelled can still be resumed: its clone is made again from its branch. The events of
    a run that waits for a human stay, however old they are.
    """
    project = opened(repo, home)
    before = max(0.0, time.time() - keep_s)
    freed = project.cycle().collect(before, dry_run)
    for line in freed.kept:
        click.echo(line, err=True)
    removed = _remove_events(project, timestamp(before), dry_run)
    verb = "would remove" if dry_run else "removed"
    files = f"clones: {freed.clones}, raw streams: {freed.streams} ({freed.size / 1e6:.1f} MB)"
    click.echo(f"{verb} {files}, events: {removed.events:,} of {removed.runs:,} runs; branches stay", err=True)


def _remove_events(project: Project, before: str, dry_run: bool) -> Removed:
    out = console(stderr=True)
    with out.status("looking for old events") as status:

        def told(done: int, total: int) -> None:
            status.update(f"removing old events: {done:,} of {total:,} runs")

        removed = project.store.remove_events(before, told, dry_run=dry_run)
    if removed.unused > _WORTH_TELLING:
        place = project.settings.store.url or project.home / "store.sqlite"
        out.print(f"{removed.unused / 1e6:.0f} MB of the store's file are free and used again", markup=False)
        out.print(f'to make it smaller, while no run is at work: sqlite3 {place} "{_SHRINK}"', markup=False)
    return removed
