"""`loopwright scan`: where agents spend time and money, from the sessions that they left on this machine."""

from __future__ import annotations

import dataclasses
import fcntl
import io
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import click
from rich.console import Console

from loopwright.cli.figures import count, folder, one_line
from loopwright.cli.opened import opened_record
from loopwright.cli.options import as_json, moment, where
from loopwright.cli.output import print_json
from loopwright.cli.scan_json import as_data
from loopwright.cli.scan_notes import fault_notes, notes_of, text_notes
from loopwright.cli.scan_page import write_page
from loopwright.cli.scan_progress import Progressing
from loopwright.cli.scan_screen import Screen
from loopwright.detecting import delights
from loopwright.errors import UsageError
from loopwright.ingest.files import Found, find_files
from loopwright.ingest.once import counted_once
from loopwright.ingest.report import report_of
from loopwright.measure.friction import felt
from loopwright.records.identity import timestamp
from loopwright.records.summary import Summary
from loopwright.registry import FORMATS, names
from loopwright.taking import make_scan, places, usual_places
from loopwright.wire import Record, make_measuring, make_overview

_ELSE = "let an agent work on this machine first, or name the folder that has its sessions"
_OURS = b"<!doctype html>"
"""How a page begins that may be written over."""


@dataclass(frozen=True)
class Looked:
    """What was found."""

    sessions: Sequence[Summary]
    new: int
    troubles: Sequence[str]
    others: int
    """Files that hold no session."""
    left_out: int
    """Sessions that were not active of late."""
    timeless: int
    """Those of them that told no time."""
    notes: Sequence[str]
    """What became of text that is not wanted."""


@click.command()
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@where
@click.option("--html", type=click.Path(path_type=Path), metavar="FILE", help="Write the report into one file, too.")
@as_json
@click.option("--no-content", is_flag=True, help="Store what happened, and nothing that anybody wrote.")
@click.option("--since", type=moment, metavar="TIME", help="Only sessions that were active since: 30d, 1w, 2026-11-01.")
def scan(
    paths: tuple[Path, ...],
    repo: Path,
    home: str | None,
    html: Path | None,
    as_json: bool,
    no_content: bool,
    since: float | None,
) -> None:
    """Read the sessions of coding agents in PATHS, and say where they spend time and money.

    With no path, the places in which the agents of this machine keep them. Only what is new is read. Nothing leaves the
    machine, and no key is needed.
    """
    asked, troubles = list(paths) or _usual(), list[str]()
    _check_target(html)
    files = list(find_files(asked, lambda error: troubles.append(str(error))))
    record = opened_record(repo, home)
    looked, store = _look(record, files, content=not no_content, since=since), _store_of(record)
    report = report_of(looked.sessions, looked.new)
    signals = record.store.measured.signals([session.run_id for session in looked.sessions])
    found = felt(signals, delights(record.settings))
    notes = [*notes_of(report, [*troubles, *looked.troubles], looked.others, looked.timeless), *looked.notes]
    if html is not None:
        write_page(html, report, notes, found)
        click.echo(f"the report is in {html}", err=True)
    if as_json:
        print_json(as_data(report, notes, found) | {"store": store})
    elif report.sessions:
        _spare_the_screen()
        Screen(Console(highlight=False)).show(report, notes, paths, html is not None, store, found)
    if report.sessions:
        _say_worse(record)
    else:
        _say_empty(asked, len(files), looked, notes)


def _say_worse(record: Record) -> None:
    """Say in one line what got worse, where something did."""
    view = make_overview(record).view("task_type")
    if found := [*view.trends, *view.alerts]:
        more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
        click.echo(f"warning: {one_line(found[0])}{more}; see: loopwright metrics", err=True)


def _spare_the_screen() -> None:
    """Let a terminal that does not have a letter show `?` in its place."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


def _usual() -> list[Path]:
    found = usual_places()
    if not found:
        looked = "\n".join(f"  {place}" for place in places())
        raise UsageError(
            f"no agent has left sessions on this machine; looked for\n{looked}",
            "name the folder that has them: loopwright scan FOLDER",
        )
    return found


def _check_target(html: Path | None) -> None:
    """Refuse to write over what is no page: a session, say, whose name went to the wrong option."""
    if html is None:
        return
    if (html.exists() and not html.is_file()) or not html.absolute().parent.is_dir():
        raise UsageError(f"the report can't be written to `{html}`", "name a file in a folder that is there")
    if html.exists():
        with html.open("rb") as file:
            begins = file.read(len(_OURS))
        if begins.lower() not in (_OURS, b""):
            raise UsageError(f"`{html}` is there and is no page", "name another file")


def _look(record: Record, files: Sequence[Found], *, content: bool, since: float | None) -> Looked:
    with _alone(record), Progressing() as progress:
        known = set(record.store.observed.session_runs().values())  # what another scan has brought in is not new
        scanned = make_scan(record, content=content).scan(files, progress.told)
    measuring = make_measuring(record)
    measuring.measure(scanned.runs)
    found = counted_once(record.store.observed.summaries(scanned.runs))
    begin = "" if since is None else timestamp(max(0.0, since))
    chosen = [_bare(session, content) for session in found if session.ended_at >= begin]
    new = sum(session.run_id not in known for session in chosen)
    timeless = sum(not session.ended_at for session in found) if begin else 0
    left_out = len(found) - len(chosen)
    text = [*text_notes(scanned.bared, scanned.with_text), *fault_notes(measuring.faults)]
    return Looked(chosen, new, scanned.notes, scanned.others, left_out, timeless, text)


@contextmanager
def _alone(record: Record) -> Iterator[None]:
    """Wait for another scan into the same store: both would bring in the same sessions."""
    with (record.home / "scan.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            click.echo("note: another scan is at work here; waiting for it", err=True)
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _bare(session: Summary, content: bool) -> Summary:
    """Leave out what anybody wrote, also where an earlier scan has stored it."""
    return session if content else dataclasses.replace(session, goal="", reread={})


def _store_of(record: Record) -> str:
    """Name where the sessions are kept; of a server, not who may use it."""
    url = record.settings.store.url or ""
    if "://" in url and not url.startswith("sqlite"):
        server = urlsplit(url)
        return f"{server.scheme}://{server.hostname or ''}{server.path}"
    return url or str(record.home / "store.sqlite")


def _say_empty(paths: Sequence[Path], files: int, looked: Looked, notes: Sequence[str]) -> None:
    if looked.left_out:
        click.echo(f"none of {count(looked.left_out, 'session')} was active of late; leave --since out", err=True)
        return
    where = ", ".join(f"`{folder(str(path))}`" for path in paths)
    click.echo(f"there is no session of an agent in {where}: {count(files, 'file')} looked at", err=True)
    for note in notes:
        click.echo(f"  {note}", err=True)
    usual = ", ".join(folder(str(place)) for place in usual_places() if place not in paths)
    click.echo(
        f"hint: {f'agents of this machine have left some in {usual}: loopwright scan' if usual else _ELSE}", err=True
    )
    click.echo(f"      these are read: {', '.join(names(FORMATS))}", err=True)
