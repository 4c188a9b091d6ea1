"""`loopwright queue`: what waits for a human, and what can be done with it."""

from __future__ import annotations

from pathlib import Path

import click
from rich.markup import escape

from loopwright.cli.opened import opened
from loopwright.cli.options import as_json, where
from loopwright.cli.output import (
    check_line,
    console,
    first_line,
    headline,
    next_steps,
    print_denied,
    print_json,
    run_row,
    telling,
)
from loopwright.records.check import Check, last_checks
from loopwright.records.event import EventKind
from loopwright.records.identity import short
from loopwright.records.run import Run
from loopwright.run.verdicts import failed
from loopwright.text.readable import readable
from loopwright.wire import Project

_EVIDENCE_LINES = 12
_OUTPUT_LINES = 6


@click.command()
@where
@as_json
def queue(repo: Path, home: str | None, as_json: bool) -> None:
    """List the runs that wait for a human, the newest first, with what does not hold and what to do next."""
    project = opened(repo, home)
    waiting = project.store.queue()
    if as_json:
        print_json([_entry(project, run) for run in waiting])
    elif waiting:
        for run in waiting:
            _print_entry(project, run)
    else:
        click.echo("the queue is empty: no run waits for a human", err=True)


def _unmet(project: Project, run: Run) -> list[Check]:
    return failed(last_checks(project.store.checks(run.id)))


def _last_output(project: Project, run: Run) -> str:
    attempts = project.store.attempts(run.id)
    return attempts[-1].output if attempts else ""


def _entry(project: Project, run: Run) -> dict[str, object]:
    unmet = [
        {"criterion": check.criterion, "kind": check.kind, "verdict": check.verdict, "evidence": check.evidence}
        for check in _unmet(project, run)
    ]
    return {
        **run_row(run),
        "failed": unmet,
        "output": _last_output(project, run),
        "artifacts": run.artifacts,
        "next": next_steps(run.status, run.id, run.branch, run.reason),
    }


def _print_entry(project: Project, run: Run) -> None:
    out = console()
    out.print(headline(run.status, run.reason, short(run.id)), f" {escape(first_line(run.task.goal))}")
    if run.detail:
        out.print(f"  {escape(readable(run.detail))}")
    for check in _unmet(project, run):
        out.print(check_line(check))
        for line in telling(check.evidence, _EVIDENCE_LINES):
            out.print(f"      {line}", style="dim", markup=False)
    said = telling(_last_output(project, run), _OUTPUT_LINES)
    if said:
        out.print("  the agent's last words:")
        for line in said:
            out.print(f"      {line}", style="dim", markup=False)
    print_denied(out, project.store.events(run.id, kind=EventKind.DENIAL))
    out.print(f"  work    git diff {run.base[:12]} {run.branch}")
    for line in next_steps(run.status, run.id, run.branch, run.reason):
        out.print(f"  [dim]→[/dim] {escape(line)}")
    out.print()
