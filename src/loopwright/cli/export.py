"""`loopwright export`: one run for other people and programs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from loopwright.cli.analysed import analysed, found, whole
from loopwright.cli.opened import opened_record
from loopwright.cli.options import where
from loopwright.cli.writing import write
from loopwright.records.identity import short
from loopwright.text.json_text import json_text
from loopwright.wire import Record

_ENDINGS = {"json": "json", "html": "html", "atif": "atif.json", "otlp": "otlp.json"}


@click.command()
@click.argument("run", metavar="RUN", default="last")
@where
@click.option(
    "--format",
    "kind",
    type=click.Choice(list(_ENDINGS)),
    default="json",
    show_default=True,
    help="json comes back in with `import`; html is one page that opens offline; atif and otlp are for other tools.",
)
@click.option(
    "--output", type=click.Path(path_type=Path), metavar="FILE", help="A file or a folder.  [default: stdout]"
)
def export(run: str, repo: Path, home: str | None, kind: str, output: Path | None) -> None:
    """Write RUN (an id, its first or last digits, or `last`) with all that happened in it."""
    record = opened_record(repo, home)
    run_id = found(record, run).id
    written = write(_written(record, run_id, kind), output, f"run-{short(run_id)}.{_ENDINGS[kind]}")
    if written:
        click.echo(f"run {short(run_id)} is in {written}", err=True)


def _written(record: Record, run_id: str, kind: str) -> str:
    """Only what is asked for is loaded."""
    if kind == "html":
        from loopwright.export.html import page

        return page(analysed(record, run_id, events=True))
    bundle = whole(record, run_id)
    data: dict[str, Any]
    if kind == "atif":
        from loopwright.export.atif import trajectory

        data = trajectory(bundle)
    elif kind == "otlp":
        from loopwright.export.otlp import traces

        data = traces(bundle)
    else:
        from loopwright.export.bundle import to_dict

        data = to_dict(bundle)
    return json_text(data, indent=1) + "\n"
