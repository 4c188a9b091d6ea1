"""`loopwright restore`: a backup becomes the store again, here or in another database."""

from __future__ import annotations

from pathlib import Path

import click

from loopwright.cli.backup import told
from loopwright.cli.options import where
from loopwright.registry import kinds
from loopwright.run.git import Repository
from loopwright.store.database import shown
from loopwright.store.restoring import restore as put_back
from loopwright.wire import find_store, make_home


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@where
@click.option("--force", is_flag=True, help="Also where the store holds runs, or is broken: it is kept aside first.")
def restore(file: Path, repo: Path, home: str | None, force: bool) -> None:
    """Put FILE, which `loopwright backup` wrote, into the store that the settings name.

    The store may be a SQLite file or a PostgreSQL database, whatever the backup came from.
    """
    place = find_store(repo, home)
    contents, kept = put_back(file, place, make_home(Repository.find(repo), home), kinds, force=force)
    if kept:
        click.echo(f"what was there is in {kept}", err=True)
    click.echo(f"restored {shown(place)}: {told(contents)}", err=True)
