"""`loopwright runs`: what was run here, and what was brought in."""

from __future__ import annotations

from pathlib import Path

import click

from loopwright.cli.opened import opened_record
from loopwright.cli.options import as_json, where
from loopwright.cli.output import print_json, print_runs, run_row
from loopwright.errors import UnknownName
from loopwright.store.recorded import Recorded

_HERE = "here"
_LIMIT = 50
_EMPTY = (
    'there is no run yet; start one: loopwright run "Fix the login" --test "pytest -q"\n'
    "or read what your agents did so far: loopwright scan"
)


@click.command()
@where
@click.option(
    "--limit", type=click.IntRange(min=1), default=_LIMIT, show_default=True, metavar="N", help="The newest N."
)
@click.option("--all", "every", is_flag=True, help="All of them.")
@click.option("--source", metavar="NAME", help="Only those of one source: `here`, or a format such as claude_code.")
@as_json
def runs(repo: Path, home: str | None, limit: int, every: bool, source: str | None, as_json: bool) -> None:
    """List the runs, the newest first."""
    record = opened_record(repo, home)
    recorded = record.store.recorded
    newest, total = recorded.newest(None if every else limit, _source(recorded, source))
    found = record.up_to_date(list(newest))
    if as_json:
        print_json([run_row(run) for run in found])
    elif found:
        print_runs(found)
    else:
        click.echo(_EMPTY, err=True)
    if total > len(found):
        click.echo(f"{total - len(found):,} older ones are not listed; --all lists them, --limit N more", err=True)


def _source(recorded: Recorded, name: str | None) -> str | None:
    if name is None:
        return None
    known = [source or _HERE for source in recorded.sources()]
    if name not in {*known, _HERE}:
        raise UnknownName("source", name, {*known, _HERE})
    return "" if name == _HERE else name
