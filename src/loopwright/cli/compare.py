"""`loopwright compare`: two runs side by side."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from loopwright.cli.analysed import analysed, found
from loopwright.cli.figures import count, one_line
from loopwright.cli.opened import opened_record
from loopwright.cli.options import as_json, where
from loopwright.cli.output import first_line, print_json
from loopwright.export.analysis import Analysis
from loopwright.export.comparison import comparison
from loopwright.export.words import duration, habit_figures, judged
from loopwright.records.identity import short
from loopwright.text.agent_habits import Habits

_ERRORS = 10
_TOOLS = 15


@click.command()
@click.argument("one", metavar="A")
@click.argument("other", metavar="B")
@where
@as_json
def compare(one: str, other: str, repo: Path, home: str | None, as_json: bool) -> None:
    """Put runs A and B (ids, their first or last digits, or `last`) side by side."""
    record = opened_record(repo, home)
    sides = [analysed(record, found(record, name).id) for name in (one, other)]
    compared = comparison(*sides)
    if as_json:
        print_json(compared)
    else:
        _print(sides, compared)


def _print(sides: Sequence[Analysis], compared: dict[str, Any]) -> None:
    table = Table(box=None, pad_edge=False, title_justify="left")
    names = [short(side.bundle.run.id) for side in sides]
    for name, most in (("", 30), (names[0], 44), (names[1], 44)):
        table.add_column(name, overflow="fold", max_width=most)
    for row in (*_figures(sides), *_tools(compared), *_checks(compared), *_errors(compared)):
        table.add_row(*[cell if isinstance(cell, Text) else Text(one_line(cell)) for cell in row])
    Console(highlight=False).print(table)


def _figures(sides: Sequence[Analysis]) -> Iterable[Sequence[str | Text]]:
    runs, told = [side.bundle.run for side in sides], [side.to_dict() for side in sides]
    yield "goal", *[first_line(run.task.goal) for run in runs]
    yield "agent", *[run.profile.agent for run in runs]
    yield "model", *[side.model for side in sides]
    yield "profile", *[run.profile.name if not run.source else "" for run in runs]
    yield "source", *[run.source or "here" for run in runs]
    if runs[0].base != runs[1].base:
        yield "base", *[run.base[:12] for run in runs]
    yield "status", *[f"{run.status}{f' ({run.reason})' if run.reason else ''}" for run in runs]
    if any(side.bundle.evaluations for side in sides):
        last = [side.bundle.evaluations[-1:] for side in sides]
        yield "judged", *["".join(map(judged, one)) or "–" for one in last]
        yield "why", *["".join(first_line(told.reason) for told in one) for one in last]
    yield "started", *[run.started_at[:16].replace("T", " ") for run in runs]
    yield _pair("time", [run.spent.seconds for run in runs], duration)
    yield _pair("at work", [side["active_s"] for side in told], duration)
    yield _pair("iterations", [run.spent.iterations for run in runs])
    yield _pair("cost", [run.spent.cost_usd for run in runs], lambda value: f"${value:,.4f}")
    for name in ("input", "output", "cache_read", "cache_write"):
        yield _pair(f"tokens {name.replace('_', ' ')}", [side["tokens"][name] for side in told])
    yield _pair("tool calls", [side["tool_calls"] for side in told])
    yield _pair("tool errors", [side["tool_errors"] for side in told])
    counted = [dict(habit_figures(side.habits)) if side.habits else {} for side in sides]
    for name, _ in habit_figures(Habits()):
        yield name, *[side.get(name, "not counted") for side in counted]


def _pair(name: str, values: Sequence[Any], write: Any = lambda value: f"{value:,}") -> Sequence[str | Text]:
    """Give a row of two figures; the second says how it differs from the first."""
    first, second = values
    change = f"  {(second - first) / first:+.0%}" if first and second != first else ""
    return name, write(first), Text.assemble(write(second), (change, "dim"))


def _heading(words: str) -> Sequence[str | Text]:
    return Text(f"\n{words}", "bold"), "", ""


def _tools(compared: dict[str, Any]) -> Iterable[Sequence[str | Text]]:
    if compared["tools"]:
        yield _heading("tools: calls, errors")
    for row in compared["tools"][:_TOOLS]:
        counts = zip(row["calls"], row["errors"], strict=True)
        yield row["tool"], *[f"{calls:,}, {errors:,}" if calls or errors else "–" for calls, errors in counts]


def _checks(compared: dict[str, Any]) -> Iterable[Sequence[str | Text]]:
    if compared["checks"]:
        yield _heading("checks")
    for row in compared["checks"]:
        yield row["criterion"], *[verdict or "–" for verdict in row["verdicts"]]


def _errors(compared: dict[str, Any]) -> Iterable[Sequence[str | Text]]:
    shared = [row for row in compared["errors"] if all(row["counts"])]
    if compared["errors"]:
        yield _heading(f"errors: {len(shared)} of {count(len(compared['errors']), 'kind')} in both")
    for row in compared["errors"][:_ERRORS]:
        yield (
            first_line(row["message"])[:60] or row["fingerprint"],
            *[f"{often:,} ×" if often else "–" for often in row["counts"]],
        )
