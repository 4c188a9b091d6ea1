"""`loopwright import`: exported runs, back in a store."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from loopwright.cli.opened import opened_record
from loopwright.cli.options import as_json, where
from loopwright.cli.output import print_json
from loopwright.errors import LoopwrightError, StoreError, UsageError
from loopwright.export.bundle import from_dict, settled
from loopwright.guard.redact import Masker
from loopwright.ingest.masking import Masking
from loopwright.records.bundle import Bundle
from loopwright.records.event import Event
from loopwright.records.identity import short
from loopwright.registry import kinds
from loopwright.text.bounded import parse
from loopwright.wire import Record

_LARGEST = 2_000_000_000
_AT_ONCE = 500


@click.command("import")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILES...")
@where
@click.option("--force", is_flag=True, help="Put them in the place of runs that are there.")
@as_json
def bring_in(files: Sequence[Path], repo: Path, home: str | None, force: bool, as_json: bool) -> int:
    """Bring runs that `loopwright export` wrote as JSON into the store, with the ids that they had.

    They can be looked at and compared, and not be taken up or landed: their branches and folders are elsewhere. A file
    that can't be read is left out, and the others are brought in.
    """
    record = opened_record(repo, home)
    masker = Masker(os.environ)
    done: list[dict[str, Any]] = []
    for file in files:
        done.append(_one(record, masker, file, force))
        if "error" in done[-1]:
            click.echo(f"error: {done[-1]['error']}", err=True)
        elif not as_json:
            click.echo(f"run {short(done[-1]['run_id'])} is there, from {file}", err=True)
    if as_json:
        print_json(done)
    return 2 if any("error" in item for item in done) else 0


def _one(record: Record, masker: Masker, file: Path, force: bool) -> dict[str, Any]:
    masking = Masking(masker)
    try:
        bundle = _read(file, masker, masking)
        folder = record.home / "runs" / bundle.run.id
        bundle = settled(bundle, str(folder) if bundle.diff else "")
        replaced = record.store.recorded.bring(bundle, replace=force)
        if bundle.diff:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "changes.diff").write_text(bundle.diff, encoding="utf-8", errors="replace")
    except (StoreError, OSError) as error:
        return {"file": str(file), "error": f"`{file}`: {error}"}
    except LoopwrightError as error:
        return {"file": str(file), "error": f"`{file}` is not imported: {error}"}
    return {"file": str(file), "run_id": bundle.run.id, "replaced": replaced, "masked": sum(masking.counts.values())}


def _read(file: Path, masker: Masker, masking: Masking) -> Bundle:
    if not file.is_file():
        raise UsageError("there is no such file", "name what `loopwright export RUN --output FILE` wrote")
    if file.stat().st_size > _LARGEST:
        raise UsageError(f"it has more than {_LARGEST // 10**9} GB", "no run is as large as that")
    try:
        data = parse(file.read_bytes().decode())
    except (ValueError, RecursionError) as error:
        raise UsageError(f"it is not JSON: {error}", "a session of an agent is read by: loopwright scan FILE") from None
    if isinstance(data, dict):
        events = data.pop("events", [])  # of which there are many: they are masked together
        data = {**masker.data(data, masking.counts), "events": events}
    bundle = from_dict(data, kinds)
    return replace(bundle, events=_masked(list(bundle.events), masking))


def _masked(events: list[Event], masking: Masking) -> list[Event]:
    found: list[Event] = []
    for first in range(0, len(events), _AT_ONCE):
        found += masking.masked(events[first : first + _AT_ONCE])
    return found
