"""`loopwright critic`: a run scored by a rubric, now."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import click

from loopwright.cli.analysed import found, whole
from loopwright.cli.judged import print_evaluation
from loopwright.cli.opened import opened_record
from loopwright.cli.options import as_json, where
from loopwright.cli.output import print_json
from loopwright.measure.rubric import find_rubric
from loopwright.records.run import Run, Status
from loopwright.registry import kinds
from loopwright.run.whole_change import judged_at_home
from loopwright.text.readable import readable
from loopwright.wire import Project, Record


@click.command()
@click.argument("run", metavar="[RUN]", default="last")
@where
@click.option("--rubric", metavar="NAME|FILE", help="Another than that of its task type: a ready one, or a TOML file.")
@as_json
def critic(run: str, repo: Path, home: str | None, rubric: str | None, as_json: bool) -> None:
    """Score RUN by a rubric: pass or fail, 0 to 10, and a reason for each item.

    Checks that run in the checkroom are those that the run had; nothing is run now.
    """
    record = opened_record(repo, home)
    chosen = found(record, run)
    critic = record.critic(record.repository.root if isinstance(record, Project) else None)
    named = find_rubric(rubric, [record.home / "rubrics"], kinds) if rubric else None
    used = named or critic.rubric_of(chosen.task.task_type)
    evaluation = critic.critique(chosen, _change(record, chosen), used)
    if chosen.status not in (Status.RUNNING, Status.QUEUED):
        record.store.add_evaluation(evaluation)
    if as_json:
        print_json({"schema": 1, "loose": list(used.loose), **dataclasses.asdict(evaluation)})
        return
    print_evaluation(evaluation)
    for why in used.loose:
        click.echo(f"note: the rubric {readable(used.title)} is loose: {readable(why)}", err=True)


def _change(record: Record, run: Run) -> str:
    """Give what was judged at the end of a run, as far as its commits are still there; else what was written down."""
    if isinstance(record, Project) and run.commit and all(map(record.repository.holds, (run.base, run.commit))):
        return judged_at_home(record.repository, run.base, run.commit)
    return whole(record, run.id, events=False).diff
