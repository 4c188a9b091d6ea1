"""`loopwright signals`: what went wrong or well in sessions, and what a human says of it."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path

import click

from loopwright.cli.opened import opened_record
from loopwright.cli.options import as_json, moment, where
from loopwright.cli.output import print_json
from loopwright.cli.signal_words import print_precision, print_signals
from loopwright.errors import UnknownName, UsageError
from loopwright.measure.trends import TYPE
from loopwright.records.identity import timestamp
from loopwright.records.signal import Signal
from loopwright.registry import DETECTORS, names
from loopwright.thinking import make_session_judge
from loopwright.wire import Record, make_measuring

_WORDS = {"wrong": True, "right": False}
_PRECISION = "precision"
_LIMIT = 50
_EMPTY = "no signal was found; sessions come in with: loopwright scan"


@click.command()
@click.argument("words", nargs=-1, metavar="[RUN] | wrong ID | right ID | precision")
@where
@click.option("--type", "type_name", metavar="TYPE", help="Only those of one type, such as error_loop.")
@click.option("--since", type=moment, metavar="TIME", help="Only those since: 30d, 1w, 2026-11-01.")
@click.option(
    "--limit", type=click.IntRange(min=1), default=_LIMIT, show_default=True, metavar="N", help="The newest N."
)
@click.option("--all", "every", is_flag=True, help="All of them.")
@click.option("--reason", metavar="TEXT", default="", help="With wrong or right: why.")
@click.option("--judge", is_flag=True, help="Let a model look for what rules can't see in RUN: [models] judge.")
@as_json
def signals(
    words: Sequence[str],
    repo: Path,
    home: str | None,
    type_name: str | None,
    since: float | None,
    limit: int,
    every: bool,
    reason: str,
    judge: bool,
    as_json: bool,
) -> None:
    """List the signals of RUN, or of all, the newest at the end; or say of one that it is wrong, or right after all.

    `precision` lists how often each type was found, and what you have said of them.
    """
    record = opened_record(repo, home)
    if words == (_PRECISION,):
        _show_precision(record, as_json)
        return
    if words and words[0] in _WORDS:
        _mark(record, words, reason, as_json)
        return
    if len(words) > 1:
        raise UsageError("one run at a time", "loopwright signals RUN, or: loopwright signals wrong ID")
    if type_name and type_name not in (known := [*names(DETECTORS), TYPE]):
        raise UnknownName("signal", type_name, known)
    run_ids = [record.store.find(words[0])] if words else None
    make_measuring(record).measure(run_ids)
    if judge:
        _judge(record, run_ids)
    begin = "" if since is None else timestamp(max(0.0, since))
    wanted = (run_ids[0] if run_ids else None, type_name or "", begin)
    _list(*record.store.measured.newest(*wanted, None if every else limit), as_json)


def _list(found: Sequence[Signal], total: int, as_json: bool) -> None:
    if as_json:
        print_json([dataclasses.asdict(signal) for signal in found])
    elif found:
        print_signals(found)
    else:
        click.echo(_EMPTY, err=True)
    if total > len(found):
        click.echo(f"{total - len(found):,} older ones are not listed; --all lists them, --limit N more", err=True)


def _show_precision(record: Record, as_json: bool) -> None:
    found = record.store.measured.precision()
    if as_json:
        print_json([dataclasses.asdict(one) for one in found])
    elif found:
        print_precision(found)
    else:
        click.echo(_EMPTY, err=True)


def _judge(record: Record, run_ids: Sequence[str] | None) -> None:
    if run_ids is None:
        raise UsageError("a model looks at one run at a time: it costs money", "loopwright signals RUN --judge")
    found = make_session_judge(record.settings, record.store.measured).judge(run_ids[0])
    note = f"; {found.note}" if found.note else ""
    click.echo(f"the judge found {len(found.signals)} for ${found.cost_usd:.4f}{note}", err=True)


def _mark(record: Record, words: Sequence[str], reason: str, as_json: bool) -> None:
    if len(words) != 2:
        raise UsageError("name one signal by its id", f"loopwright signals {words[0]} ID; the ids: loopwright signals")
    signal = record.store.measured.find(words[1])
    wrong = _WORDS[words[0]]
    record.store.measured.mark(signal, wrong=wrong, reason=reason)
    if as_json:
        print_json(dataclasses.asdict(dataclasses.replace(signal, is_wrong=wrong)))
    click.echo(f"signal {signal.id} ({signal.type}) is {words[0]}: {signal.description}", err=True)
