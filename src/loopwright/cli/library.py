"""`loopwright library`: what was learned, as versions and as files that people edit."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from rich.table import Table
from rich.text import Text

from loopwright.cli.opened import opened_record
from loopwright.cli.options import as_json, where
from loopwright.cli.output import console, print_json
from loopwright.cli.versions import user, version_group
from loopwright.cycle.crediting import Crediting
from loopwright.records.library import Entry
from loopwright.records.version import Version
from loopwright.release.learned import Library, only
from loopwright.release.library_files import FOLDER, LibraryFiles
from loopwright.release.versions import Versions
from loopwright.text.readable import readable
from loopwright.wire import Record, make_library, make_proving


def opened_library(repo: Path, home: str | None) -> tuple[Record, Library, Path]:
    """Open the library, with the edits of its files taken in."""
    record = opened_record(repo, home)
    library, folder = make_library(record), record.home / FOLDER
    seen = LibraryFiles(folder, library).sync(user())
    for version in seen.taken:
        click.echo(f"{FOLDER}/{version.name}.md was edited: it is {version.title} now", err=True)
    for error in seen.broken:
        click.echo(f"left alone: {readable(str(error))}", err=True)
    return record, library, folder


def _versions(repo: Path, home: str | None) -> Versions:
    return opened_library(repo, home)[1].versions


library = version_group("entry", "What was learned: anti-patterns, success patterns, playbooks.", _versions)


@library.command("list")
@where
@as_json
def list_entries(repo: Path, home: str | None, as_json: bool) -> None:
    """List all entries: what they are for, who is told them, and how often they helped or harmed."""
    record, found, folder = opened_library(repo, home)
    entries = Crediting(make_proving(record), found).entries()
    told = found.told()
    rows = [_row(entry, version, found, told) for entry, version in entries]
    if as_json:
        print_json(rows)
        return
    _print(rows)
    click.echo(f"edit them in {folder}", err=True)
    for row in rows:
        if row["held"]:
            hint = f"look at it, then: loopwright library accept {row['name']}"
            click.echo(f"{row['name']} waits for a human: {readable(row['held'])}; {hint}", err=True)


@library.command("accept")
@click.argument("name")
@where
def accept(name: str, repo: Path, home: str | None) -> None:
    """Let an entry be told that was quarantined: you have looked at it."""
    _, found, folder = opened_library(repo, home)
    made = found.accept(name, user())
    _written(found, folder, f"{made.title} may be told")


@library.command("retire")
@click.argument("name")
@click.option("--reason", default="retired by a human", metavar="TEXT", help="Why.")
@where
def retire(name: str, reason: str, repo: Path, home: str | None) -> None:
    """Take an entry out of use, and out of what anybody is told."""
    _, found, folder = opened_library(repo, home)
    made = found.retire(name, user(), reason)
    _written(found, folder, f"{made.title} is retired; back with: loopwright library rollback {name}")


@library.command("tell")
@click.argument("name")
@click.option("--to", "profile", required=True, metavar="worker/TASK_TYPE", help="Who is told it.")
@click.option("--reason", default="told on a human's word", metavar="TEXT", help="Why.")
@where
def tell(name: str, profile: str, reason: str, repo: Path, home: str | None) -> None:
    """Tell an entry to who works on a task type, on your own word."""
    _, found, _ = opened_library(repo, home)
    made = found.tell(name, profile, user(), reason)
    click.echo(f"{made.title} is told {name}; back with: loopwright profiles rollback {profile}", err=True)


@library.command("untell")
@click.argument("name")
@click.option("--to", "profile", required=True, metavar="worker/TASK_TYPE", help="Who is not told it any more.")
@click.option("--reason", default="not told any more, on a human's word", metavar="TEXT", help="Why.")
@where
def untell(name: str, profile: str, reason: str, repo: Path, home: str | None) -> None:
    """Do not tell an entry any more."""
    _, found, _ = opened_library(repo, home)
    made = found.untell(name, profile, user(), reason)
    click.echo(f"{made.title} is not told {name} any more", err=True)


def _written(found: Library, folder: Path, words: str) -> None:
    LibraryFiles(folder, found).sync(user())
    click.echo(words, err=True)


def _row(entry: Entry, version: Version, found: Library, told: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    return dataclasses.asdict(entry) | {
        "number": version.number,
        "hash": version.hash,
        "told_to": only(entry.name, told),
        "held": found.why_held(entry),
    }


def _print(rows: list[dict[str, Any]]) -> None:
    table = Table(box=None, pad_edge=False, header_style="dim")
    for title in ("entry", "kind", "status", "helped", "harmed", "told to", "says"):
        table.add_column(title, no_wrap=title == "entry")
    for row in rows:
        told = ", ".join(row["told_to"]) or "nobody"
        name = f"{row['name']}@{row['number']}"
        counts = (str(row["helpful"]), str(row["harmful"]))
        cells = (row["kind"], row["status"], *counts, told, readable(row["title"]))
        table.add_row(name, *(Text(cell) for cell in cells))
    console().print(table)
