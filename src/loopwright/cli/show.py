"""`loopwright show`: one run, as a whole or one side of it."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path

import click

from loopwright.cli.analysed import analysed, found, step_of, whole
from loopwright.cli.judged import print_judged
from loopwright.cli.opened import opened_record
from loopwright.cli.options import as_json, where
from loopwright.cli.output import print_json
from loopwright.cli.showing import print_errors, print_rows, print_run, print_timeline
from loopwright.cli.writing import write
from loopwright.errors import UsageError
from loopwright.export.analysis import Analysis
from loopwright.export.bundle import to_dict
from loopwright.records.event import Event, EventKind
from loopwright.records.identity import short
from loopwright.records.run import Run
from loopwright.store.retention import REMOVED
from loopwright.wire import Record


@click.command()
@click.argument("run", metavar="[RUN]", default="last")
@where
@click.option("--errors", "view", flag_value="errors", help="The errors, like ones together, with how often.")
@click.option("--tools", "view", flag_value="tool_usage", help="The tools: calls, errors, time.")
@click.option("--commands", "view", flag_value="commands", help="The commands with their exit codes.")
@click.option(
    "--timeline", "view", flag_value="timeline", help="Every event in order, cut to a line; whole with --step N."
)
@click.option("--step", type=click.IntRange(min=1), metavar="N", help="Only this step of its plan.")
@click.option(
    "--save-report", is_flag=True, help="Write the analysis as Markdown, below reports/ in the state's folder."
)
@click.option("--output", type=click.Path(path_type=Path), metavar="FILE", help="With --save-report: where to.")
@as_json
def show(
    run: str,
    repo: Path,
    home: str | None,
    view: str | None,
    step: int | None,
    save_report: bool,
    output: Path | None,
    as_json: bool,
) -> None:
    """Show RUN (an id, its first or last digits, or `last`): its attempts, checks and what to do next."""
    if output and not save_report:
        raise UsageError("--output goes with --save-report", "all of a run: loopwright export RUN --output FILE")
    record = opened_record(repo, home)
    chosen = found(record, run)
    if gone := _removed(record, chosen.id):
        click.echo(gone, err=True)
    part = step_of(record, chosen.id, step) if step else None
    if save_report:
        _save_report(record, part or analysed(record, chosen.id), output, as_json)
    elif view:
        _show_side(record, chosen, view, part, as_json)
    elif as_json:
        print_json(to_dict(part.bundle if part else whole(record, chosen.id)))
    else:
        print_run(part or analysed(record, chosen.id), record.store.events(chosen.id, kind=EventKind.DENIAL))
        judged = (record.store.evaluations(chosen.id), record.store.attempts(chosen.id))
        print_judged(*judged, record.store.measured.feedback(chosen.id))


def _removed(record: Record, run_id: str) -> str:
    """Say that the first events of a run are gone; nothing where they are not."""
    first = record.store.events(run_id, limit=1)
    return first[0].text if first and REMOVED in first[0].data else ""


def _show_side(record: Record, run: Run, view: str, part: Analysis | None, as_json: bool) -> None:
    if view == "timeline":
        _show_timeline(part.bundle.events if part else record.store.events(run.id), run, as_json, whole=bool(part))
    elif view == "errors":
        groups = part.errors if part else record.store.recorded.errors(run.id)
        if as_json:
            print_json([dataclasses.asdict(group) for group in groups])
        else:
            print_errors(groups)
    else:
        rows = _rows(record, run, view, part)
        print_json(rows) if as_json else print_rows(rows, view)


def _rows(record: Record, run: Run, view: str, part: Analysis | None) -> list[dict[str, object]]:
    if part is None or view == "commands":
        rows = [dict(row) for row in record.store.view(view, run.id)]
        numbers = {attempt.number for attempt in part.bundle.attempts} if part else None
        return rows if numbers is None else [row for row in rows if row["attempt"] in numbers]
    return [
        {
            "run_id": run.id,
            "tool": used.tool,
            "calls": used.calls,
            "errors": used.failed,
            "total_duration_s": used.duration_s,
            "mean_duration_s": used.duration_s / used.timed if used.timed else None,
        }
        for used in part.tools
    ]


def _show_timeline(events: Sequence[Event], run: Run, as_json: bool, *, whole: bool) -> None:
    if as_json:
        print_json([dataclasses.asdict(event) for event in events])
    else:
        print_timeline(events, run, whole=whole)


def _save_report(record: Record, analysis: Analysis, output: Path | None, as_json: bool) -> None:
    from loopwright.export.report import report

    run = analysis.bundle.run
    folder = record.home / "reports"
    if output is None:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = write(report(analysis), output or folder, f"{run.started_at[:10]}-{short(run.id)}.md")
    if as_json:
        print_json({"schema": 1, "run_id": run.id, "report": str(path)})
    else:
        click.echo(f"the report of run {short(run.id)} is in {path}", err=True)
