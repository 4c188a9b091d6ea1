"""`loopwright reviews`: what was put before a human, and what they said."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import click
from rich.table import Table

from loopwright.cli.figures import one_line
from loopwright.cli.opened import opened_record
from loopwright.cli.options import as_json, where
from loopwright.cli.output import console, print_json
from loopwright.cli.versions import user
from loopwright.mending import make_reviewing
from loopwright.release.message import message

_EMPTY = "there is no review yet; make one: loopwright improve"


@click.group(invoke_without_command=True)
@click.pass_context
def reviews(context: click.Context) -> None:
    """What was put before you, and what you said to it: list, show N, answer N WORDS."""
    if context.invoked_subcommand is None:
        context.invoke(list_reviews, repo=Path(), home=None, as_json=False, limit=20)


@reviews.command("list")
@click.option("--limit", type=click.IntRange(min=1), default=20, show_default=True, metavar="N", help="The newest N.")
@where
@as_json
def list_reviews(limit: int, repo: Path, home: str | None, as_json: bool) -> None:
    """List reviews, the newest first."""
    found = opened_record(repo, home).store.reviews.newest(limit)
    if as_json:
        print_json([dataclasses.asdict(one) for one in found])
        return
    if not found:
        click.echo(_EMPTY, err=True)
        return
    table = Table(box=None, pad_edge=False, header_style="dim")
    for title in ("review", "date", "status", "sessions", "items"):
        table.add_column(title, justify="right" if title in ("review", "sessions", "items") else "left")
    for one in found:
        table.add_row(str(one.number), one.created_at[:16], one.status, f"{one.sessions:,}", str(len(one.items)))
    console().print(table)


@reviews.command("show")
@click.argument("number", type=click.IntRange(min=1))
@where
@as_json
def show(number: int, repo: Path, home: str | None, as_json: bool) -> None:
    """Show a review as it was sent, and what was answered."""
    store = opened_record(repo, home).store.reviews
    review = store.get(number)
    said = store.answers(review.id)
    if as_json:
        answers = [dataclasses.asdict(one) for one in said]
        print_json(dataclasses.asdict(review) | {"shown": review.shown, "answers": answers})
        return
    click.echo(message(review))
    click.echo(f"\n{review.status}" if not said else "")
    for one in said:
        click.echo(f"{one.at[:16]} {one_line(one.by)}: {one_line(one.words)}")
        click.echo("\n".join(f"  {one_line(line)}" for line in one.outcome.splitlines()))


@reviews.command("answer")
@click.argument("number", type=click.IntRange(min=1))
@click.argument("words")
@where
@as_json
def answer(number: int, words: str, repo: Path, home: str | None, as_json: bool) -> None:
    """Answer a review: "deploy all", "deploy 1, 3", "show me item 3", "skip", "roll back" …"""
    reviewing = make_reviewing(opened_record(repo, home))
    reviewing.finish()
    outcome = reviewing.answer(number, words, user())
    if as_json:
        print_json({"review": number, "status": reviewing.reviews.get(number).status, "outcome": outcome})
    else:
        click.echo(outcome)
