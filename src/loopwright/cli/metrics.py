"""`loopwright metrics`: how agents do over many runs, by whom, and over time."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from loopwright.cli.metrics_screen import Screen
from loopwright.cli.opened import opened_record
from loopwright.cli.options import as_json, moment, where
from loopwright.cli.output import print_json
from loopwright.measure.metrics import Metrics, Period, Rate
from loopwright.measure.overview import View
from loopwright.records.identity import timestamp
from loopwright.records.outcome import BY, By
from loopwright.wire import make_overview

_EMPTY = "no run has ended yet; sessions come in with: loopwright scan, runs with: loopwright run"


@click.command()
@where
@click.option("--by", type=click.Choice(BY), default="task_type", show_default=True, help="Who is put side by side.")
@click.option("--period", type=click.Choice(["day", "week"]), help="A row for each day or week.")
@click.option("--since", type=moment, metavar="TIME", help="Only runs that began since: 30d, 1w, 2026-11-01.")
@as_json
def metrics(repo: Path, home: str | None, by: By, period: Period | None, since: float | None, as_json: bool) -> None:
    """Say how agents do: pass rates with their intervals, time, tokens and cost for a task, how often a human steps in.

    What got worse over three periods and beyond chance is said at the end, and is a signal from then on.
    """
    record = opened_record(repo, home)
    begin = "" if since is None else timestamp(max(0.0, since))
    view = make_overview(record).view(by, period, begin)
    if as_json:
        print_json(as_data(view))
    elif view.whole:
        Screen(Console(highlight=False)).show(view)
    else:
        click.echo("no run began since then; leave --since out" if begin else _EMPTY, err=True)


def as_data(view: View) -> dict[str, Any]:
    """Give it as plain data."""
    return {
        "schema": 1,
        "by": view.by,
        "period": view.period,
        "since": view.since or None,
        "whole": _data(view.whole) if view.whole else None,
        "groups": [_data(group) for group in view.groups],
        "trends": list(view.trends),
        "alerts": list(view.alerts),
        "notes": list(view.notes),
    }


def _data(group: Metrics) -> dict[str, Any]:
    told = {spec.name: getattr(group, spec.name) for spec in dataclasses.fields(group)}
    return {name: _rate(value) if isinstance(value, Rate) else value for name, value in told.items()}


def _rate(rate: Rate) -> dict[str, Any]:
    return {**vars(rate), "share": rate.share, "interval": rate.interval}
