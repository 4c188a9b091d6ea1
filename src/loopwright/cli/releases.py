"""`loopwright releases`: what was put into use, and what came of it."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import click
from rich.text import Text

from loopwright.cli.figures import one_line
from loopwright.cli.opened import opened_record
from loopwright.cli.options import as_json, where
from loopwright.cli.output import console, print_json
from loopwright.cycle.guarding import per_day
from loopwright.records.version import Release
from loopwright.records.watched import Watched
from loopwright.verify.watching import visible

_STYLES = {"watching": "cyan", "warned": "bold yellow", "rolled_back": "bold red", "no_baseline": "dim"}
_WORDS = {"rolled_back": "rolled back", "no_baseline": "not watched"}


@click.command()
@click.option("--limit", type=click.IntRange(min=1), default=20, show_default=True, metavar="N", help="So many.")
@where
@as_json
def releases(limit: int, repo: Path, home: str | None, as_json: bool) -> None:
    """List what was put into use, the newest first, and what came of the tasks since."""
    found = opened_record(repo, home).store.watches.all(limit)
    found = [(release, watched) for release, watched in found if release.previous is not None or release.undoes]
    if as_json:
        print_json([dataclasses.asdict(one) | {"watch": known and dataclasses.asdict(known)} for one, known in found])
    elif found:
        for release, watched in found:
            _print(release, watched)
    else:
        click.echo("nothing was put into use yet but what ships; see: loopwright prompts list", err=True)


def _print(release: Release, watched: Watched | None) -> None:
    out = console()
    how = "taken back to" if release.undoes else "put into use:"
    proof = f", proven by experiment {release.experiment[-8:]}" if release.experiment else ""
    out.print(Text.assemble((release.at[:16], "dim"), f"  {how} ", (f"{release.name}@{release.number}", "bold")))
    out.print(Text(f"    by {one_line(release.by)}{proof}: {one_line(release.reason)}", "dim"))
    if watched is None:
        return
    out.print(Text.assemble("    ", (_WORDS.get(watched.status, watched.status), _STYLES[watched.status])), end="")
    out.print(Text(f"  {watched.detail}" if watched.detail else "", "dim"))
    if watched.p0 is not None and watched.status in ("watching", "warned") and watched.tries:
        out.print(Text(f"    {visible(watched.p0, per_day(watched))}", "dim"))
