"""`loopwright patterns`: what goes wrong again and again, over many sessions."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path

import click
from rich.console import Console
from rich.text import Text

from loopwright.cli.figures import count, money, one_line, shortened, time
from loopwright.cli.opened import opened_record
from loopwright.cli.options import as_json, moment, where
from loopwright.cli.output import console, print_json
from loopwright.records.identity import short, timestamp
from loopwright.records.pattern import Pattern
from loopwright.wire import make_diagnosing, make_measuring

_EMPTY = "there is no session yet; read what your agents did so far: loopwright scan"
_RUNS = 5


@click.command()
@where
@click.option("--since", type=moment, metavar="TIME", help="Only sessions since: 30d, 1w, 2026-11-01.")
@click.option(
    "--sessions",
    "fewest",
    type=click.IntRange(min=1),
    default=2,
    show_default=True,
    metavar="N",
    help="What came in at least so many sessions.",
)
@click.option("--limit", type=click.IntRange(min=1), default=10, show_default=True, metavar="N", help="So many.")
@as_json
def patterns(repo: Path, home: str | None, since: float | None, fewest: int, limit: int, as_json: bool) -> None:
    """List what goes wrong again and again, ranked by how often it comes, what it costs and how sure it is."""
    record = opened_record(repo, home)
    make_measuring(record).measure()
    begin = "" if since is None else timestamp(max(0.0, since))
    found, sessions = make_diagnosing(record).patterns(begin, fewest=fewest)
    if as_json:
        listed = [dataclasses.asdict(one) for one in found[:limit]]
        print_json({"schema": 1, "sessions": sessions, "patterns": listed})
    elif not sessions:
        click.echo(_EMPTY, err=True)
    else:
        _print(console(), found[:limit], sessions, len(found), fewest)


def _print(out: Console, found: Sequence[Pattern], sessions: int, total: int, fewest: int) -> None:
    out.print(f"Over {count(sessions, 'session')}", style="bold")
    if not found:
        out.print(f"nothing came in {count(fewest, 'session')} or more", style="dim")
    for number, one in enumerate(found, 1):
        out.print()
        spent = [money(one.cost_usd)] * bool(one.cost_usd) + [time(one.seconds)] * (one.seconds >= 1)
        head = Text(f"{number}. {one_line(one.key)}", "bold")
        head.append(f"  {one.sessions:,} of {count(one.of, 'session')}, {count(one.signals, 'time')}", "")
        head.append("".join(f", {part}" for part in spent) + f"; {one.certainty:.0%} sure", "")
        out.print(head, soft_wrap=True)
        out.print(f"   {shortened(one_line(one.example.description), out.width - 4)}", markup=False)
        out.print(f"   in {_counts(one.task_types)}; {_counts(one.agents)}", markup=False, style="dim")
        out.print(f"   see: {_runs(one)}", markup=False, style="dim", soft_wrap=True)
    if total > len(found):
        click.echo(f"{total - len(found):,} more are not listed; --limit N lists more", err=True)


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{one_line(name) or 'no name'} {number:,}" for name, number in counts.items())


def _runs(one: Pattern) -> str:
    shown = ", ".join(short(run_id) for run_id in one.runs[:_RUNS])
    return f"{shown} and {len(one.runs) - _RUNS:,} more" if len(one.runs) > _RUNS else shown
