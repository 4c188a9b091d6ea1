"""`loopwright show`: one run, as a whole or one side of it."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from loopwright.cli.opened import opened
from loopwright.cli.options import as_json, where
from loopwright.cli.output import (
    check_line,
    console,
    headline,
    next_steps,
    print_denied,
    print_json,
    print_tampering,
    readable,
)
from loopwright.records.check import Check
from loopwright.records.environment import around
from loopwright.records.event import Event, EventKind
from loopwright.records.identity import short
from loopwright.records.run import Attempt, Run, Status
from loopwright.run.verdicts import last_checks
from loopwright.store.retention import REMOVED
from loopwright.wire import Project

_ROOM_FOR_ALL, _ENDLESS = 120, 100_000
_LEAST_TELLING = ("seq", "attempt_id", "fingerprint")


@click.command()
@click.argument("run", metavar="[RUN]", default="last")
@where
@click.option("--errors", "view", flag_value="errors", help="The errors, with their fingerprints.")
@click.option("--tools", "view", flag_value="tool_usage", help="The tools: calls, errors, time.")
@click.option("--commands", "view", flag_value="commands", help="The commands with their exit codes.")
@click.option("--timeline", "view", flag_value="timeline", help="Every event in order.")
@as_json
def show(run: str, repo: Path, home: str | None, view: str | None, as_json: bool) -> None:
    """Show RUN (an id, its first or last digits, or `last`): its attempts, checks and what to do next."""
    project = opened(repo, home)
    run_id = project.store.find(run)
    found = project.cycle().notice_died([project.store.run(run_id)])[0]
    if gone := _removed(project, run_id):
        click.echo(gone, err=True)
    if view == "timeline":
        _timeline(project.store.events(run_id), found, as_json)
    elif view:
        _view(project.store.view(view, run_id), view, as_json)
    elif as_json:
        print_json(_whole(project, found))
    else:
        _print_run(project, found, project.store.attempts(run_id), project.store.checks(run_id))


def _removed(project: Project, run_id: str) -> str:
    """Say that the first events of a run are gone; nothing where they are not."""
    first = project.store.events(run_id, limit=1)
    return first[0].text if first and REMOVED in first[0].data else ""


def _whole(project: Project, run: Run) -> dict[str, Any]:
    store = project.store
    data = dataclasses.asdict(run)
    data["run_id"] = data.pop("id")
    data["task"]["criteria"] = [criterion.to_dict() for criterion in run.task.criteria]
    return {
        "schema": 1,
        **data,
        "steps": [dataclasses.asdict(store.step(run.id))],
        "attempts": [dataclasses.asdict(attempt) for attempt in store.attempts(run.id)],
        "checks": [dataclasses.asdict(check) for check in store.checks(run.id)],
        "comments": [dataclasses.asdict(comment) for comment in store.comments(run.id)],
        "acceptances": [dataclasses.asdict(acceptance) for acceptance in store.acceptances(run.id)],
        "events": [dataclasses.asdict(event) for event in store.events(run.id)],
    }


def _print_run(project: Project, run: Run, attempts: Sequence[Attempt], checks: Sequence[Check]) -> None:
    out = console()
    out.print(headline(run.status, run.reason, short(run.id)))
    out.print(readable(run.task.goal).strip(), markup=False)
    if run.detail:
        out.print(f"  {readable(run.detail)}", markup=False)
    where = around(attempts[-1].environment.confined) if attempts else ""
    agent = f"{run.profile.agent}{f', {where}' if where else ''}"
    out.print(f"  {run.task.task_type} · agent {agent} · started {run.started_at} · base {run.base[:12]}")
    before = [check for check in checks if check.iteration == 0]
    if before:
        out.print("[bold]preflight[/bold]")
        for check in before:
            out.print(check_line(check))
    for attempt in attempts:
        _print_attempt(out, run, attempt, [check for check in checks if check.iteration == attempt.number])
    spent = run.spent
    out.print(f"  {spent.seconds:.1f} s · ${spent.cost_usd:.4f} · {spent.tokens.total:,} tokens")
    out.print(f"  {run.artifacts}", markup=False)
    if run.closed_at:
        out.print(f"  closed: {run.closed_reason}", markup=False)
        return
    print_tampering(out, last_checks(checks), str(Path(run.artifacts) / "tampering.diff"))
    print_denied(out, project.store.events(run.id, kind=EventKind.DENIAL))
    for line in next_steps(run.status, run.id, run.branch, run.reason):
        if line == f"loopwright show {short(run.id)}":
            continue
        out.print(f"  [dim]→[/dim] {escape(line)}")


def _print_attempt(out: Console, run: Run, attempt: Attempt, checks: Sequence[Check]) -> None:
    changed = attempt.files_changed or "no file changed"
    how = attempt.detail or attempt.ending or ("at work" if run.status is Status.RUNNING else "cut short")
    out.print(f"[bold]iteration {attempt.number}[/bold]  {escape(how)} · {changed} · {attempt.duration_s:.1f} s")
    for check in checks:
        out.print(check_line(check))


def _timeline(events: Sequence[Event], run: Run, as_json: bool) -> None:
    if as_json:
        print_json([dataclasses.asdict(event) for event in events])
        return
    out = console()
    for event in events:
        what = " ".join(readable(event.command or event.path or event.text).split())
        what = what.replace(f"{run.workspace}/workspace/{Path(run.repository).name}/", "")
        style = "red" if event.is_error else ""
        line = Text.assemble((event.at[11:23], "dim"), f"  {event.kind:<12}{event.tool or '':<8} ", (what, style))
        if out.is_terminal:
            out.print(line, soft_wrap=False, no_wrap=True, overflow="ellipsis")
        else:
            out.print(line)


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.3f}"
    return "" if value is None else readable(str(value)).partition("\n")[0]


def _view(rows: Sequence[dict[str, Any]], name: str, as_json: bool) -> None:
    if as_json:
        print_json(list(rows))
        return
    if not rows:
        click.echo(f"there are no {name.replace('tool_usage', 'calls of tools')} in this run", err=True)
        return
    out = console()
    wide = out.width if out.is_terminal else _ENDLESS  # nothing is cut for a file or a pipe
    left_out = ("run_id", *(_LEAST_TELLING if wide < _ROOM_FOR_ALL else ()))
    names = [key for key in rows[0] if key not in left_out]
    table = Table(box=None, pad_edge=False)
    for key in names:
        table.add_column(key, overflow="ellipsis", no_wrap=True, min_width=len(key))
    for row in rows:
        table.add_row(*[Text(_cell(row[key])) for key in names])
    Console(highlight=False, width=wide).print(table)
