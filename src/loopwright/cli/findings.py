"""`loopwright findings`: what could be better, and what became of what was found before."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path

import click

from loopwright.cli.findings_screen import print_finding, print_findings
from loopwright.cli.opened import opened_record
from loopwright.cli.options import as_json, moment, where
from loopwright.cli.output import console, print_json
from loopwright.errors import UsageError
from loopwright.records.finding import GOALS, Sighting
from loopwright.records.identity import timestamp
from loopwright.thinking import make_adding
from loopwright.wire import Record, make_diagnosing, make_measuring

_EMPTY = "there is no session yet; read what your agents did so far: loopwright scan"
_SHOW = "show"


@click.command()
@click.argument("words", nargs=-1, metavar="[show KEY]")
@where
@click.option("--since", type=moment, metavar="TIME", help="Only sessions since: 1d, 1w, 2026-11-01.")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Only the newest N sessions.")
@click.option("--goal", type=click.Choice(GOALS), help="Only those of one goal.")
@click.option("--judge", is_flag=True, help="Let a model add what rules can't find: [models] judge.")
@click.option(
    "--max-cost",
    type=click.FloatRange(min=0),
    default=0.25,
    show_default=True,
    metavar="USD",
    help="What the model may cost.",
)
@as_json
def findings(
    words: Sequence[str],
    repo: Path,
    home: str | None,
    since: float | None,
    limit: int | None,
    goal: str | None,
    judge: bool,
    max_cost: float,
    as_json: bool,
) -> None:
    """List what could be better in many sessions: accuracy, capabilities, cost; `show KEY` has all of one finding.

    Each is kept: who looks later is told whether it is better, the same or worse by now, or gone.
    """
    record = opened_record(repo, home)
    if words:
        _show(record, words, as_json)
        return
    make_measuring(record).measure()
    adding = make_adding(record.settings, record.store.measured, max_cost) if judge else None
    found = make_diagnosing(record, adding).findings("" if since is None else timestamp(max(0.0, since)), limit)
    if judge:
        click.echo(f"a model took ${found.cost_usd:.4f}{f'; {found.note}' if found.note else ''}", err=True)
    listed = [one for one in found.sightings if goal in (None, one.finding.goal)]
    if as_json:
        print_json({"schema": 1, "sessions": found.sessions, "findings": [_data(one) for one in listed]})
    elif not found.sessions:
        click.echo(_EMPTY, err=True)
    else:
        print_findings(console(), listed, found.sessions)


def _show(record: Record, words: Sequence[str], as_json: bool) -> None:
    if words[0] != _SHOW or len(words) != 2:
        raise UsageError(f"`{' '.join(words)}` is nothing that can be listed", "loopwright findings show KEY")
    past = record.store.findings.history(record.store.findings.key_of(words[1]))
    if as_json:
        print_json({"schema": 1, **_data(past[-1]), "sightings": [_seen(one) for one in past]})
    else:
        print_finding(console(), past)


def _data(one: Sighting) -> dict[str, object]:
    return dataclasses.asdict(one.finding) | {"rate": one.finding.rate} | _times(one)


def _seen(one: Sighting) -> dict[str, object]:
    its = one.finding
    return _times(one) | {"sessions": its.sessions, "of": its.of, "waste_usd": its.waste_usd}


def _times(one: Sighting) -> dict[str, object]:
    return {"at": one.at, "change": one.change, "before": one.before, "first_at": one.first_at}
