"""`loopwright gc`: room on the disk, and no work lost."""

from __future__ import annotations

from pathlib import Path

import click

from loopwright.cli.opened import opened
from loopwright.cli.options import duration, where


@click.command()
@where
@click.option("--keep", "keep_s", type=duration, default="30d", show_default=True, help="Keep raw streams this long.")
@click.option("--dry-run", is_flag=True, help="Only say what would go.")
def gc(repo: Path, home: str | None, keep_s: float, dry_run: bool) -> None:
    """Remove the clones of ended runs and old raw streams. Branches, diffs, logs and the store stay.

    A run that was escalated or cancelled can still be resumed: its clone is made again from its branch.
    """
    project = opened(repo, home)
    freed = project.cycle().collect(list(project.store.runs()), keep_s, dry_run)
    for line in freed.kept:
        click.echo(line, err=True)
    verb = "would remove" if dry_run else "removed"
    what = f"clones: {freed.clones}, raw streams: {freed.streams} ({freed.size / 1e6:.1f} MB)"
    click.echo(f"{verb} {what}; branches stay", err=True)
