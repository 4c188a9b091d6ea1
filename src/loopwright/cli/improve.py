"""`loopwright improve`: look at what happened, and put what could help before a human."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import click

from loopwright.cli.opened import opened_record
from loopwright.cli.options import as_json, limit, where
from loopwright.cli.output import print_json
from loopwright.equipping import notice_edits
from loopwright.mending import make_improving
from loopwright.records.review import Review
from loopwright.release.message import message
from loopwright.wire import make_measuring

_HOUR_S = 3600


@click.command()
@click.option("--window", type=limit, default="24h", show_default=True, metavar="TIME", help="How far back to look.")
@click.option(
    "--limit", type=click.IntRange(min=1), default=200, show_default=True, metavar="N", help="The newest N sessions."
)
@click.option("--dry-run", is_flag=True, help="Write nothing down, and begin nothing.")
@where
@as_json
def improve(window: float, limit: int, dry_run: bool, repo: Path, home: str | None, as_json: bool) -> None:
    """Look at the sessions of a window, propose what could help, and write a review; nothing is changed by that."""
    record = opened_record(repo, home)

    def say(text: str) -> None:
        click.echo(text, err=True)

    say("looking for signals")
    make_measuring(record).measure()
    improving = make_improving(record, say)
    notice_edits(improving.patching.library, record.home, say)
    review = improving.review(window / _HOUR_S, limit, dry=dry_run)
    if as_json:
        print_json({"schema": 1, "review": dataclasses.asdict(review), "message": message(review)})
        return
    click.echo(message(review))
    if review.items and not dry_run:
        _next(review)


def _next(review: Review) -> None:
    click.echo(f'\n→ loopwright reviews answer {review.number} "deploy all"', err=True)
