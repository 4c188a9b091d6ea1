"""One run, or one side of it, for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from loopwright.cli.figures import count, one_line, shortened
from loopwright.cli.output import (
    check_line,
    console,
    cost_of,
    first_line,
    headline,
    next_steps,
    print_denied,
    print_tampering,
)
from loopwright.export.analysis import Analysis
from loopwright.export.events import what
from loopwright.export.words import duration, habit_figures, judged
from loopwright.records.bundle import ErrorGroup
from loopwright.records.check import Check, last_checks
from loopwright.records.environment import around
from loopwright.records.evaluation import Evaluation
from loopwright.records.event import Event
from loopwright.records.identity import short
from loopwright.records.run import Attempt, Run, Status, of_worker
from loopwright.records.signal import Signal
from loopwright.text.readable import readable

_TOOLS = 8
_FILES = 5
_GOAL = 12
_REASON = 6
_SIGNALS = 5
_TOOL, _LEAST = 24, 20
_PIPED = 200
"""So wide is a line of a timeline where nobody sits at a terminal."""
_ROOM_FOR_ALL, _ENDLESS = 120, 100_000
_LEAST_TELLING = ("seq", "attempt_id", "fingerprint")


def print_run(analysis: Analysis, denials: Sequence[Event]) -> None:
    """Print a run: what was asked, what was done, what came of it, and what can be done now."""
    out, bundle = console(), analysis.bundle
    run = bundle.run
    out.print(headline(run.status, run.reason, short(run.id)))
    _print_lines(out, readable(run.task.goal).strip().splitlines(), _GOAL)
    if run.detail:
        out.print(f"  {readable(run.detail)}", markup=False)
    out.print(f"  {one_line(_about(analysis))}", markup=False)
    _print_checks(out, "preflight", [check for check in bundle.checks if check.iteration == 0])
    if bundle.session:
        _print_session(out, analysis)
    else:
        for attempt in bundle.attempts:
            checks = [check for check in bundle.checks if check.iteration == attempt.number]
            _print_attempt(out, run, attempt, checks)
    _print_evaluations(out, [one for one in bundle.evaluations if not one.rubric])
    _print_figures(out, analysis)
    _print_signals(out, bundle.signals)
    if run.closed_at:
        out.print(f"  closed: {readable(run.closed_reason)}", markup=False)
        return
    print_tampering(
        out, last_checks(bundle.checks) if bundle.checks else [], str(Path(run.artifacts) / "tampering.diff")
    )
    print_denied(out, denials)
    for line in next_steps(run.status, run.id, run.branch, run.reason, run.source):
        if line == f"loopwright show {short(run.id)}":
            continue  # this is it
        out.print(f"  [dim]→[/dim] {escape(line)}")


def _print_signals(out: Console, signals: Sequence[Signal]) -> None:
    """Print what went wrong and well, the dearest first."""
    right = [signal for signal in signals if not signal.is_wrong]
    if right:
        out.print("[bold]signals[/bold]")
    for signal in sorted(right, key=lambda signal: (-signal.cost_usd, -signal.seconds))[:_SIGNALS]:
        out.print(f"  {signal.type}: {one_line(signal.description)}", markup=False)
    if len(right) > _SIGNALS:
        out.print(f"  and {len(right) - _SIGNALS:,} more", style="dim")
    if right:
        out.print(f"  [dim]→[/dim] loopwright signals {short(right[0].run_id)}")


def _about(analysis: Analysis) -> str:
    run, attempts = analysis.bundle.run, of_worker(analysis.bundle.attempts)
    where = around(attempts[-1].environment.confined) if attempts else ""
    parts = [
        run.task.task_type,
        f"agent {run.profile.agent}{f', {where}' if where else ''}",
        f"model {analysis.model}" if analysis.model else "",
        f"started {run.started_at}",
        f"base {run.base[:12]}" if run.base else "",
        f"from {run.source}" if run.source else "",
    ]
    return " · ".join(part for part in parts if part)


def _print_checks(out: Console, title: str, checks: Sequence[Check]) -> None:
    if checks:
        out.print(f"[bold]{title}[/bold]")
        for check in checks:
            out.print(check_line(check))


def _print_attempt(out: Console, run: Run, attempt: Attempt, checks: Sequence[Check]) -> None:
    changed = escape(readable(attempt.files_changed)) or "no file changed"
    how = readable(attempt.detail) or attempt.ending or ("at work" if run.status is Status.RUNNING else "cut short")
    who = "" if attempt.role == "worker" else f" · {_who(attempt)}"
    words = f"{escape(how)} · {changed} · {attempt.duration_s:.1f} s{escape(who)}"
    out.print(f"[bold]iteration {attempt.number}[/bold]  {words}")
    for check in checks:
        out.print(check_line(check))


def _who(attempt: Attempt) -> str:
    """Name who had another part than the worker's."""
    named = (attempt.environment.agent, attempt.environment.model)
    return f"{attempt.role} {', '.join(one_line(name) for name in named if name)}".strip()


def _print_session(out: Console, analysis: Analysis) -> None:
    session = analysis.bundle.session
    assert session is not None
    where = " · ".join(one_line(part) for part in (session.session_id, session.path) if part)
    out.print(f"  session {where}", markup=False)
    if session.project:
        out.print(f"  project {one_line(session.project)}", markup=False)
    people = [("prompt", session.prompts), ("interrupt", session.interrupts), ("rejection", session.rejections)]
    said = " · ".join(count(number, noun) for noun, number in people)
    raw = f"{count(session.raw_lines, 'line')} not understood"
    out.print(f"  {said} · at work {duration(session.active_s)} · {raw}")
    for path, often in list(session.reread.items())[:_FILES]:
        out.print(f"  read {count(often, 'time')}: {one_line(path)}", markup=False)


def _print_evaluations(out: Console, evaluations: Sequence[Evaluation]) -> None:
    for one in evaluations:
        style = {True: "bold green", False: "bold red", None: "bold"}[one.passed]
        by = f" · by {one_line(one.by)}" if one.by else ""
        out.print(Text.assemble("  judged  ", (judged(one), style), by))
        _print_lines(out, readable(one.reason).strip().splitlines(), _REASON, "          ")


def _print_lines(out: Console, lines: Sequence[str], most: int, indent: str = "") -> None:
    for line in lines[:most]:
        out.print(f"{indent}{line}", markup=False)
    if len(lines) > most:
        out.print(f"{indent}[dim]… {count(len(lines) - most, 'more line')}[/dim]")


def _print_figures(out: Console, analysis: Analysis) -> None:
    run, spent = analysis.bundle.run, analysis.bundle.run.spent
    if analysis.tools:
        used = [
            f"{tool.tool} {tool.calls:,}{f' ({tool.failed:,} failed)' if tool.failed else ''}"
            for tool in analysis.tools
        ]
        more = f" · {len(used) - _TOOLS} more" if len(used) > _TOOLS else ""
        out.print(f"  tools   {one_line(' · '.join(used[:_TOOLS]))}{more}", markup=False)
    if analysis.tools and analysis.habits:
        told = [f"{name}: {value}" for name, value in habit_figures(analysis.habits)]
        out.print(f"  habits  {' · '.join(told)}", markup=False)
    for group in analysis.errors[:3]:
        out.print(f"  [red]{group.count:>4,} ×[/red] {escape(first_line(group.message))}")
    out.print(f"  {spent.seconds:.1f} s · {cost_of(run, 4)} · {spent.tokens.total:,} tokens")
    if run.artifacts:
        out.print(f"  {readable(run.artifacts)}", markup=False)


def print_timeline(events: Sequence[Event], run: Run, *, whole: bool = False) -> None:
    """Print every event on a line of its own, cut to what fits unless the whole is wanted."""
    out = console()
    lines: list[str] = []
    wide = _ENDLESS if whole else out.width if out.is_terminal else _PIPED
    here = f"{run.workspace}/workspace/{Path(run.repository).name}/" if run.workspace else ""
    was_cut = False
    for event in events:
        about = f"{event.at[11:23]:<12}  {event.kind:<12}{shortened(one_line(event.tool or ''), _TOOL):<8} "
        words = one_line(what(event, wide + len(here)))
        told = shortened(words.replace(here, "") if here else words, max(_LEAST, wide - len(about)))
        was_cut = was_cut or told.endswith("…")
        if out.is_terminal:
            out.print(Text.assemble((about[:12], "dim"), about[12:], (told, "red" if event.is_error else "")))
        else:
            lines.append(f"{about}{told}".rstrip())  # ten times as fast
    if lines:
        click.echo("\n".join(lines))
    if was_cut:
        click.echo(f"hint: lines are cut; all of a step: loopwright show {short(run.id)} --timeline --step 1", err=True)


def print_errors(groups: Sequence[ErrorGroup]) -> None:
    """Print errors, like ones together."""
    if not groups:
        click.echo("there are no errors in this run", err=True)
        return
    total = sum(group.count for group in groups)
    out = console()
    for group in groups:
        when = group.first_at[11:19] if group.count == 1 else f"{group.first_at[11:19]} to {group.last_at[11:19]}"
        about = f"{group.error_kind} {one_line(group.tool)} {when}, the first is event {group.first_seq}"
        mark = group.fingerprint or "no fingerprint"
        out.print(Text.assemble((f"{group.count:,} ×", "bold"), f" {mark}  ", (about, "dim")))
        for line in readable(group.message).strip().splitlines()[:6]:
            out.print(f"      {line[:300]}", markup=False)
    out.print(f"{count(total, 'error')} of {count(len(groups), 'kind')}", markup=False)


def print_rows(rows: Sequence[Mapping[str, object]], name: str) -> None:
    """Print the rows of a view as a table."""
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


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.3f}"
    return "" if value is None else one_line(readable(str(value)).strip().partition("\n")[0])
