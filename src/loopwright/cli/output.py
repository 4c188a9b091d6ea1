"""Results and lists for people and for programs."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from loopwright.records.check import Check, Verdict
from loopwright.records.event import Event
from loopwright.records.identity import short
from loopwright.records.run import Reason, Result, Run, Status, because
from loopwright.text.json_text import json_text
from loopwright.text.readable import readable

STYLES = {
    Status.DONE: "bold green",
    Status.ESCALATED: "bold yellow",
    Status.FAILED: "bold red",
    Status.CANCELLED: "bold magenta",
    Status.RUNNING: "bold cyan",
    Status.QUEUED: "cyan",
    Status.OBSERVED: "bold blue",
}
_LEAST_GOAL = 24
_LONGEST_LINE = 400
_COLOURS = {
    Verdict.PASS: "green",
    Verdict.FAIL: "red",
    Verdict.TAINTED: "bold red",
    Verdict.UNVERIFIABLE: "yellow",
}


class _Console(Console):
    """One that falls silent when nobody reads it any more: the work goes on."""

    def on_broken_pipe(self) -> None:
        self.quiet = True
        with Path(os.devnull).open("w") as nowhere:
            os.dup2(nowhere.fileno(), self.file.fileno())


def console(*, stderr: bool = False) -> Console:
    """A console that keeps to plain text where colours are not wanted."""
    return _Console(stderr=stderr, highlight=False, soft_wrap=True)


def print_json(data: Any) -> None:
    """Print data on stdout for programs."""
    click.echo(
        json_text(data).encode(errors="backslashreplace").decode()
    )  # half of a character is written as JSON has it


def print_result(result: Result, as_json: bool, denials: Sequence[Event] = ()) -> None:
    """Print how a run ended: JSON on stdout, or a summary with what was denied to the agent."""
    if as_json:
        print_json(result.to_dict())
        return
    out = console()
    out.print()
    out.print(headline(result.status, result.reason, short(result.run_id)))
    if result.detail:
        out.print(f"  {escape(readable(result.detail))}")
    for check in result.checks:
        out.print(check_line(check))
    out.print(
        f"  {result.iterations} iteration{'s' if result.iterations != 1 else ''}"
        f" · {result.duration_s:.1f} s · ${result.cost_usd:.4f} · {result.tokens.total:,} tokens"
    )
    out.print(f"  branch  {result.branch}  ({result.commit[:12]})")
    out.print(f"  diff    {escape(result.artifacts.diff)}")
    out.print(f"  log     {escape(result.artifacts.log)}")
    print_tampering(out, result.checks, result.artifacts.tampering)
    print_denied(out, denials)
    for line in next_steps(result.status, result.run_id, result.branch, result.reason):
        out.print(f"  [dim]→[/dim] {escape(line)}")


def print_tampering(out: Console, checks: Sequence[Check], diff: str, own: str = "") -> None:
    """Show which protected files were changed, and where one can see how; `own` is left out without a word."""
    changed = dict.fromkeys(item.told for check in checks for item in check.proof.tampering)
    left_out = dict.fromkeys(path for check in checks for path in check.proof.left_out)
    for words in changed:
        out.print(f"  [bold red]⚠[/bold red] {escape(readable(words))}")
    if changed and diff:
        out.print(f"    see     {escape(diff)}")
    for path in (path for path in left_out if path != own):
        out.print(f"  [yellow]left out:[/yellow] {escape(readable(path))} (it would steer the test runner)")


def print_denied(out: Console, denials: Sequence[Event]) -> None:
    """Show whom the sandbox kept an agent from, and how that would be allowed."""
    ours = [event for event in denials if "host" in event.data]
    counts = Counter(str(event.data["host"]) for event in ours)
    times = [f"{host}{f' ({count}×)' if count > 1 else ''}" for host, count in counts.items()]
    if times:
        out.print(f"  [yellow]⚠[/yellow] the sandbox denied: {escape(readable(', '.join(times)))}")
    nameable = dict.fromkeys(str(event.data["host"]) for event in ours if event.text.endswith("[run] hosts"))
    names = list(dict.fromkeys(host.removesuffix(":443").removesuffix(":80") for host in nameable))
    if names:
        out.print(f"    [dim]→[/dim] to allow it, in loopwright.toml: {escape(f'[run] hosts = {json.dumps(names)}')}")


def headline(status: Status, reason: Reason | None, name: str) -> Text:
    """How a run ended, in one line."""
    return Text.assemble((f"{status}", STYLES[status]), f"{because(status, reason)}  run {name}")


def check_line(check: Check) -> Text:
    """One line for a check: its mark, what was checked, what is special."""
    mark = (check.verdict.mark, _COLOURS[check.verdict])
    return Text.assemble(
        "  ", mark, f" {readable(check.criterion)}{check.remarks}", (f"  {check.duration_s:.1f} s", "dim")
    )


def next_steps(status: Status, run_id: str, branch: str, reason: Reason | None = None, source: str = "") -> list[str]:
    """What a person can do now."""
    name = short(run_id)
    if source or status is Status.OBSERVED:
        return [f"loopwright show {name} --timeline", f"loopwright export {name} --format html --output {name}.html"]
    if status is Status.RUNNING:
        return []
    if status is Status.DONE:
        return [] if reason is Reason.ALREADY_MET else [f"loopwright land {name}", f"git merge {branch}"]
    if status in (Status.CANCELLED, Status.QUEUED):
        return [f"loopwright resume {name}"]
    if reason is Reason.NO_ACCESS:
        return [
            f"log in (`loopwright doctor` says how), then: loopwright resume {name}",
            "or start a new run with another agent: --agent NAME",
            f'loopwright close {name} --reason "…"',
        ]
    accept = f'loopwright resume {name} --accept-taint --by NAME --reason "why it is right"'
    return [
        f"loopwright show {name}",
        *([accept] if reason is Reason.TAINTED else []),
        f'loopwright resume {name} --comment "what to do differently"',
        f'loopwright close {name} --reason "…"',
    ]


def print_summary(results: Sequence[Result], goals: Sequence[str]) -> None:
    """A table of several results."""
    rows: list[list[str | Text]] = [
        [
            short(result.run_id),
            Text(result.status, STYLES[result.status]),
            result.reason,
            str(result.iterations),
            f"{result.duration_s:.1f} s",
            f"${result.cost_usd:.4f}",
            first_line(goal),
        ]
        for result, goal in zip(results, goals, strict=True)
    ]
    _print_table(["run", "end", "reason", "tries", "time", "cost", "goal"], rows)


def print_runs(runs: Sequence[Run]) -> None:
    """A table of runs."""
    rows: list[list[str | Text]] = [
        [
            short(run.id),
            readable(run.started_at[:16]).replace("T", " "),
            Text(f"{run.status}{_closed(run)}", STYLES[run.status]),
            first_line(run.reason or run.source),
            str(run.spent.iterations),
            cost_of(run, 2),
            first_line(run.task.goal),
        ]
        for run in runs
    ]
    _print_table(["run", "started", "status", "reason", "tries", "cost", "goal"], rows)


def cost_of(run: Run, digits: int) -> str:
    """Write what a run cost; `?` where somebody was at work and nothing of it is known."""
    if not run.spent.cost_usd and (run.source or run.spent.iterations):
        return "?"
    return f"${run.spent.cost_usd:.{digits}f}"


def _closed(run: Run) -> str:
    return " (landed)" if run.landed else " (closed)" if run.closed_at else ""


def _print_table(names: Sequence[str], rows: Sequence[Sequence[str | Text]]) -> None:
    """Print a table whose last column is cut to what the others leave: an id that is cut is of no use."""
    table = Table(box=None, pad_edge=False)
    for name in names:
        table.add_column(name, justify="right" if name in ("tries", "time", "cost") else "left", no_wrap=True)
    others = sum(max(len(row[place]) for row in [names, *rows]) + 2 for place in range(len(names) - 1))
    wide = max(Console().width, others + _LEAST_GOAL)
    for row in rows:
        goal = str(row[-1])
        room = wide - others
        table.add_row(*row[:-1], Text(goal if len(goal) <= room else goal[: room - 1] + "…"))
    Console(highlight=False, width=wide).print(table)


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
        "source": run.source or None,
        "agent": run.profile.agent,
        "model": run.profile.model,
    }


def telling(evidence: str, most: int) -> list[str]:
    """The last lines of an evidence that say something."""
    lines = [line for line in readable(evidence).splitlines() if any(sign.isalnum() for sign in line)]
    return [line if len(line) <= _LONGEST_LINE else f"{line[:_LONGEST_LINE]}…" for line in lines[-most:]]


def first_line(text: str, most: int = 100) -> str:
    """What fits on a line; it is cut between two words, where there are any."""
    line = readable(text).strip().partition("\n")[0]
    if len(line) <= most:
        return line
    end = line.rfind(" ", most // 2, most)
    return f"{line[: end if end > 0 else most - 1]}…"
