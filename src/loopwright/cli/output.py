"""Results and lists for people and for programs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from loopwright.records.check import Check, Verdict
from loopwright.records.identity import short
from loopwright.records.run import Result, Run, Status

STYLES = {
    Status.DONE: "bold green",
    Status.ESCALATED: "bold yellow",
    Status.FAILED: "bold red",
    Status.CANCELLED: "bold magenta",
    Status.RUNNING: "bold cyan",
}
_LEAST_WIDTH = 100
MARKS = {
    Verdict.PASS: ("✓", "green"),
    Verdict.FAIL: ("✗", "red"),
    Verdict.TAINTED: ("⚠", "bold red"),
    Verdict.UNVERIFIABLE: ("?", "yellow"),
}


def console(*, stderr: bool = False) -> Console:
    """A console that keeps to plain text where colours are not wanted."""
    return Console(stderr=stderr, highlight=False, soft_wrap=True)


def print_json(data: Any) -> None:
    """Print data on stdout for programs."""
    click.echo(json.dumps(data, indent=2, ensure_ascii=False))


def print_result(result: Result, as_json: bool) -> None:
    """Print how a run ended: JSON on stdout, or a summary."""
    if as_json:
        print_json(result.to_dict())
        return
    out = console()
    out.print()
    out.print(headline(result.status, result.reason, short(result.run_id)))
    if result.detail:
        out.print(f"  {escape(result.detail)}")
    for check in result.checks:
        out.print(check_line(check))
    out.print(
        f"  {result.iterations} iteration{'s' if result.iterations != 1 else ''}"
        f" · {result.duration_s:.1f} s · ${result.cost_usd:.4f} · {result.tokens.total:,} tokens"
    )
    out.print(f"  branch  {result.branch}  ({result.commit[:12]})")
    out.print(f"  diff    {escape(result.artifacts.diff)}")
    out.print(f"  log     {escape(result.artifacts.log)}")
    for line in next_steps(result.status, result.run_id, result.branch):
        out.print(f"  [dim]→[/dim] {escape(line)}")


def headline(status: Status, reason: object, name: str) -> Text:
    """How a run ended, in one line."""
    return Text.assemble((f"{status}", STYLES[status]), f" ({reason})  run {name}")


def check_line(check: Check) -> Text:
    """One line for a check: its mark, what was checked, what is special."""
    mark, style = MARKS[check.verdict]
    marks = [name.replace("_", "-") for name in ("held_out", "self_graded", "flaky") if getattr(check, name)]
    extra = f"  ({', '.join(marks)})" if marks else ""
    return Text.assemble("  ", (mark, style), f" {check.criterion}{extra}", (f"  {check.duration_s:.1f} s", "dim"))


def next_steps(status: Status, run_id: str, branch: str) -> list[str]:
    """What a person can do now."""
    name = short(run_id)
    if status is Status.DONE:
        return [f"git merge {branch}"]
    if status is Status.CANCELLED:
        return [f"loopwright resume {name}"]
    return [
        f"loopwright show {name}",
        f'loopwright resume {name} --comment "what to do differently"',
        f'loopwright close {name} --reason "…"',
    ]


def print_summary(results: Sequence[Result], goals: Sequence[str]) -> None:
    """A table of several results."""
    table = _table("run", "end", "reason", "tries", "time", "cost", "goal")
    for result, goal in zip(results, goals, strict=True):
        table.add_row(
            short(result.run_id),
            Text(result.status, STYLES[result.status]),
            result.reason,
            str(result.iterations),
            f"{result.duration_s:.1f} s",
            f"${result.cost_usd:.4f}",
            _goal(goal, 62),
        )
    _print_table(table)


def _table(*names: str) -> Table:
    table = Table(box=None, pad_edge=False)
    for name in names:
        right = name in ("tries", "time", "cost")
        table.add_column(name, justify="right" if right else "left", no_wrap=True)
    return table


def _print_table(table: Table) -> None:
    """Print a table; where the line is too short for it, lines run over: an id that is cut is of no use."""
    Console(highlight=False, width=max(_LEAST_WIDTH, Console().width)).print(table)


def _goal(text: str, others: int) -> Text:
    """A goal cut to what the other columns leave of the line."""
    room = max(24, Console().width - others)
    line = first_line(text)
    return Text(line if len(line) <= room else line[: room - 1] + "…")


def print_runs(runs: Sequence[Run]) -> None:
    """A table of runs."""
    table = _table("run", "started", "status", "reason", "tries", "cost", "goal")
    for run in runs:
        status = Text(f"{run.status}{' (closed)' if run.closed_at else ''}", STYLES[run.status])
        table.add_row(
            short(run.id),
            run.started_at[:16].replace("T", " "),
            status,
            run.reason or "",
            str(run.spent.iterations),
            f"${run.spent.cost_usd:.2f}",
            _goal(run.task.goal, 74),
        )
    _print_table(table)


def run_row(run: Run) -> dict[str, Any]:
    """A run in a list, for programs."""
    return {
        "run_id": run.id,
        "status": run.status,
        "reason": run.reason,
        "goal": run.task.goal,
        "started_at": run.started_at,
        "ended_at": run.ended_at,
        "task_type": run.task.task_type,
        "iterations": run.spent.iterations,
        "cost_usd": run.spent.cost_usd,
        "branch": run.branch,
        "commit": run.commit,
        "detail": run.detail,
        "closed": run.closed_reason or None,
    }


def telling(evidence: str, most: int) -> list[str]:
    """The last lines of an evidence that say something."""
    return [line for line in evidence.splitlines() if any(sign.isalnum() for sign in line)][-most:]


def first_line(text: str) -> str:
    """What fits on a line."""
    return text.strip().partition("\n")[0][:100]
