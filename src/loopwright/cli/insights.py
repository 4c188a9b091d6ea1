"""`loopwright insights`: what keeps failing, what helps, and who does better on the same tasks."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from loopwright.cli.figures import count, money, one_line, shortened, time
from loopwright.cli.opened import opened_record
from loopwright.cli.options import as_json, where
from loopwright.cli.output import console, print_json
from loopwright.measure.insights import Insights, Rate, shared_tasks
from loopwright.measure.insights import insights as answer
from loopwright.records.identity import short
from loopwright.wire import make_measuring

_EMPTY = "there is no run yet; read what your agents did so far: loopwright scan"
_NAMES = {
    "retry": "tried again, unchanged",
    "edit": "edited",
    "search": "searched",
    "diagnostic": "ran a command",
    "reading": "read",
    "question": "asked",
}


@click.command()
@where
@click.option(
    "--runs",
    "fewest",
    type=click.IntRange(min=1),
    default=2,
    show_default=True,
    metavar="N",
    help="Errors that come in at least so many runs.",
)
@click.option("--limit", type=click.IntRange(min=1), default=10, show_default=True, metavar="N", help="So many errors.")
@as_json
def insights(repo: Path, home: str | None, fewest: int, limit: int, as_json: bool) -> None:
    """Answer three questions over all runs: knowledge gaps, recovery, comparison."""
    record = opened_record(repo, home)
    make_measuring(record).measure()
    measured = record.store.measured
    cells = measured.cells()
    wanted = [cell.run_id for some in shared_tasks(cells).values() for cell in some]
    found = answer(measured.gaps(fewest, limit), measured.remedied(), cells, measured.calls(wanted))
    if as_json:
        print_json({"schema": 1, **dataclasses.asdict(found)})
    elif found.runs:
        _print(console(), found)
    else:
        click.echo(_EMPTY, err=True)


def _print(out: Console, found: Insights) -> None:
    out.print(f"Over {count(found.runs, 'run')}", style="bold")
    _print_gaps(out, found)
    _print_recovery(out, found)
    _print_comparison(out, found)


def _print_gaps(out: Console, found: Insights) -> None:
    out.print("\nWhat keeps failing with like errors", style="bold")
    if not found.gaps:
        out.print("  nothing came in more than one run", style="dim")
    for gap in found.gaps:
        where = f"{count(gap.runs, 'run')}, {count(gap.times, 'time')}"
        out.print(f"  {where:<22}{one_line(gap.tool) or 'an error'}", markup=False)
        out.print(f"    {shortened(one_line(gap.message), out.width - 6)}", markup=False)
        kinds = ", ".join([*gap.task_types, *gap.agents])
        out.print(f"    {kinds}; see: loopwright show {short(gap.example)} --errors", markup=False, style="dim")


def _print_recovery(out: Console, found: Insights) -> None:
    out.print("\nWhat was done after a failure, and how often the next go passed", style="bold")
    if not found.recovery:
        out.print("  nothing failed and was tried again", style="dim")
        return
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 2))
    for name in ("", "passed", "of", "rate (95 %)"):
        table.add_column(name, justify="left" if name in ("", "rate (95 %)") else "right")
    for helped in found.recovery:
        topic = f"  {one_line(helped.topic)}" if helped.topic else ""
        name = (
            f"  {_NAMES.get(helped.remedy, helped.remedy)}:{topic}"
            if topic
            else _NAMES.get(helped.remedy, helped.remedy)
        )
        table.add_row(name, f"{helped.rate.passes:,}", f"{helped.rate.tries:,}", _rate(helped.rate))
    out.print(table)


def _print_comparison(out: Console, found: Insights) -> None:
    out.print("\nAgents and models on the same tasks", style="bold")
    if not found.comparison:
        out.print("  no task was done by more than one agent or model yet", style="dim")
        return
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 2))
    for name in ("agent", "model", "runs", "passed (95 %)", "tries", "time", "cost", "reads first", "tried again"):
        table.add_column(name, justify="left" if name in ("agent", "model") else "right")
    for side in found.comparison:
        reads, again = (("" if one is None else f"{one:g}") for one in (side.reads_before_edit, side.retries))
        table.add_row(
            *(one_line(side.agent), one_line(side.model), str(side.runs), _rate(side.passed), f"{side.iterations:g}"),
            *(time(side.seconds), money(side.cost_usd), reads, again),
        )
    out.print(table)
    out.print(f"  medians of {count(found.shared_tasks, 'task')} that more than one has done", style="dim")
    for side in found.comparison:
        used = ", ".join(f"{one_line(tool) or '?'} {often:g}" for tool, often in list(side.calls.items())[:6])
        out.print(
            f"  calls a run, {one_line(side.agent)} {one_line(side.model)}: {used or 'none'}", markup=False, style="dim"
        )


def _rate(rate: Rate) -> str:
    value = rate.value
    return "" if value is None else f"{value:.0%} ({rate.low:.0%} to {rate.high:.0%})"
