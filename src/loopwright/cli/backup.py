"""`loopwright backup`: the whole store in one file."""

from __future__ import annotations

from pathlib import Path

import click

from loopwright.cli.options import where
from loopwright.store.backup import Contents, back_up
from loopwright.wire import find_store


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@where
@click.option("--force", is_flag=True, help="Replace FILE where it is there already.")
def backup(file: Path, repo: Path, home: str | None, force: bool) -> None:
    """Copy the store, as it is at one moment, into FILE. Runs may be at work meanwhile.

    FILE is a SQLite database, whatever the store is in. It holds the store alone: branches are in the repository,
    diffs and logs in .loopwright/runs.
    """
    contents = back_up(find_store(repo, home), file, force=force)
    click.echo(f"wrote {file}: {told(contents)}", err=True)


def told(contents: Contents) -> str:
    """What a backup holds, in words."""
    runs = f"{contents.runs:,} run{'' if contents.runs == 1 else 's'}"
    events = f"{contents.events:,} event{'' if contents.events == 1 else 's'}"
    return f"{runs}, {events}, {contents.size / 1e6:.1f} MB, version {contents.version}"
