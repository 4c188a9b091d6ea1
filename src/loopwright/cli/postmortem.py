"""`loopwright postmortem`: what happened in a run that went wrong, what may be the cause, and what to do."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import click

from loopwright.cli.analysed import found
from loopwright.cli.opened import opened_record
from loopwright.cli.options import as_json, where
from loopwright.cli.output import print_json
from loopwright.cli.writing import write
from loopwright.export.postmortem_page import postmortem_page
from loopwright.records.identity import short
from loopwright.thinking import make_failing
from loopwright.wire import make_measuring


@click.command()
@click.argument("run", metavar="[RUN]", default="last")
@where
@click.option("--force", is_flag=True, help="Write it anew.")
@click.option("--judge", is_flag=True, help="Write it anew, and ask a model where rules know no cause: [models] judge.")
@click.option(
    "--output", type=click.Path(path_type=Path), metavar="FILE", help="A file or a folder.  [default: stdout]"
)
@as_json
def postmortem(
    run: str, repo: Path, home: str | None, force: bool, judge: bool, output: Path | None, as_json: bool
) -> None:
    """Write the post-mortem of RUN, in Markdown: made once and kept.

    For runs that were escalated, failed, were tainted, went over budget, lost data, or used what was rolled back.
    """
    record = opened_record(repo, home)
    run_id = found(record, run).id
    make_measuring(record).measure([run_id])
    failing = make_failing(record.settings, record.store, getattr(record, "repository", None), judge=judge)
    made = failing.postmortem(run_id, force=force or judge)
    if as_json:
        print_json({"schema": 1, **dataclasses.asdict(made)})
        return
    written = write(postmortem_page(made), output, f"postmortem-{short(run_id)}.md")
    if written:
        click.echo(f"the post-mortem of run {short(run_id)} is in {written}", err=True)
