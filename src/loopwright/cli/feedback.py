"""`loopwright feedback`: what a human thinks of a run."""

from __future__ import annotations

import getpass
from pathlib import Path

import click

from loopwright.cli.opened import opened_record
from loopwright.cli.options import as_json, read_comment, where
from loopwright.cli.output import print_json
from loopwright.records.identity import short
from loopwright.wire import give_feedback


@click.command()
@click.argument("run", metavar="RUN")
@click.argument("word", type=click.Choice(["up", "down"]))
@where
@click.option("--comment", metavar="TEXT", help="Why.")
@click.option("--by", metavar="NAME", help="Who says so.  [default: the user's name]")
@as_json
def feedback(
    run: str, word: str, repo: Path, home: str | None, comment: str | None, by: str | None, as_json: bool
) -> None:
    """Say of RUN that it was good (up) or not (down)."""
    record = opened_record(repo, home)
    given = give_feedback(record, run, up=word == "up", comment=read_comment(comment), by=by or _user())
    if as_json:
        print_json({"schema": 1, **vars(given)})
    else:
        click.echo(f"noted: run {short(given.run_id)} {word}", err=True)


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a container may have no name for its user
        return ""
