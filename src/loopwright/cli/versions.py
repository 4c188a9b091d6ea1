"""Versions of prompts, profiles and library entries on the terminal: what their commands share."""

from __future__ import annotations

import dataclasses
import difflib
import getpass
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click
from rich.table import Table
from rich.text import Text

from loopwright.cli.figures import one_line
from loopwright.cli.opened import opened_record
from loopwright.cli.options import as_json, where, why
from loopwright.cli.output import console, print_json
from loopwright.errors import UsageError
from loopwright.records.version import COMMANDS, Kind, Release, Version
from loopwright.release.first_prompts import profile_names, prompt_names
from loopwright.release.profiles import parameters
from loopwright.release.versions import Versions
from loopwright.text.readable import readable
from loopwright.wire import make_versions

_NAMED = re.compile(r"(?P<name>[^@]+)(?:@(?P<number>\d{1,6}))?")
_HASH = 8
_TITLES = ("name", "in use", "written by", "since")
_LEAST_ROOM = 8


def user() -> str:
    """Name who sits there."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a container may have no name for its user
        return "human"


def named(words: str) -> tuple[str, int | None]:
    """Read `worker/bug_fix` or `worker/bug_fix@3`."""
    found = _NAMED.fullmatch(words)
    if found is None:
        raise UsageError(f"`{words}` names no version", "write ROLE/TASK_TYPE@NUMBER, such as worker/bug_fix@2")
    return found["name"], int(found["number"]) if found["number"] else None


def opened_versions(repo: Path, home: str | None) -> Versions:
    """Open the versions of a project's record."""
    return make_versions(opened_record(repo, home))


def version_group(
    kind: Kind, text: str, opened: Callable[[Path, str | None], Versions] = opened_versions
) -> click.Group:
    """Make the commands that prompts, profiles and the library have in common."""
    group = click.Group(COMMANDS[kind], help=text)

    @group.command("list")
    @where
    @as_json
    def list_names(repo: Path, home: str | None, as_json: bool) -> None:
        """List what is in use for each role and task type."""
        versions = opened(repo, home)
        found = [versions.in_use(kind, name) for name in (prompt_names() if kind == "prompt" else profile_names())]
        if as_json:
            print_json([_used(release, version) for release, version in found])
        else:
            _print_used(found)

    @group.command("show")
    @click.argument("name", metavar="NAME[@NUMBER]")
    @where
    @as_json
    def show(name: str, repo: Path, home: str | None, as_json: bool) -> None:
        """Print one version, the one in use unless a number is named."""
        version = opened(repo, home).get(kind, *named(name))
        if as_json:
            print_json(_told(version))
            return
        click.echo(f"{version.title} · {_about(version)}", err=True)
        click.echo(_as_lines(version) if kind == "profile" else version.content, nl=kind == "profile")

    @group.command("diff")
    @click.argument("names", nargs=-1, required=True, metavar="NAME[@A] [NAME@B]")
    @where
    @as_json
    def diff(names: Sequence[str], repo: Path, home: str | None, as_json: bool) -> None:
        """Show what one version changes of another; of its parent unless two are named."""
        versions = opened(repo, home)
        before, after = _two(versions, kind, names)
        titles = (before.title, after.title)
        lines = list(difflib.unified_diff(_lines(before), _lines(after), *titles, lineterm=""))
        if as_json:
            print_json({"before": _told(before), "after": _told(after), "diff": lines})
        else:
            click.echo("\n".join(readable(line) for line in lines))

    @group.command("log")
    @click.argument("name")
    @where
    @as_json
    def log(name: str, repo: Path, home: str | None, as_json: bool) -> None:
        """List all versions, and when each was put into use."""
        versions = opened(repo, home)
        history, used = versions.history(kind, name), versions.store.releases(kind, name)
        if as_json:
            print_json(
                {"versions": [_told(one) for one in history], "releases": [dataclasses.asdict(one) for one in used]}
            )
        else:
            _print_log(history, used, versions.in_use(kind, name)[0])

    @group.command("rollback")
    @click.argument("name")
    @click.option("--to", type=int, metavar="NUMBER", help="The version to go back to.  [default: the one before]")
    @click.option("--reason", type=why, metavar="TEXT", default="rolled back", help="Why.")
    @where
    def rollback(name: str, to: int | None, reason: str, repo: Path, home: str | None) -> None:
        """Put the version into use again that was before, or another one."""
        made = opened(repo, home).roll_back(kind, name, user(), reason, to)
        click.echo(f"{name}@{made.number} is in use again", err=True)

    return group


def put(versions: Versions, version: Version, reason: str, *, draft: bool) -> None:
    """Put a version that was just written into use, unless it is a draft."""
    if draft:
        click.echo(f"{version.title} is written down, and not in use", err=True)
        return
    versions.put_in_use(version, user(), reason)
    click.echo(
        f"{version.title} is in use; back with: loopwright {COMMANDS[version.kind]} rollback {version.name}", err=True
    )


def _told(version: Version) -> dict[str, Any]:
    return dataclasses.asdict(version) | {"hash": version.hash}


def _used(release: Release, version: Version) -> dict[str, Any]:
    about = {"name": version.name, "number": version.number, "hash": version.hash, "author": version.author}
    return about | {"since": release.at, "by": release.by, "experiment": release.experiment, "depth": version.depth}


def _print_used(found: Sequence[tuple[Release, Version]]) -> None:
    """Print one line each; what there is no room for is cut from the reasons."""
    out, table = console(), Table(box=None, pad_edge=False, header_style="dim")
    rows = [(version.name, f"@{version.number}", version.author, release.at[:10]) for release, version in found]
    room = out.width - sum(max(map(len, column)) + 2 for column in zip(_TITLES, *rows, strict=True))
    for title in _TITLES:
        table.add_column(title, no_wrap=True)
    if room >= _LEAST_ROOM:
        table.add_column("why", no_wrap=True, overflow="ellipsis", max_width=room, style="dim")
    for row, (release, _) in zip(rows, found, strict=True):
        table.add_row(*row, *([Text(one_line(release.reason))] if room >= _LEAST_ROOM else []))
    out.print(table)


def _print_log(history: Sequence[Version], used: Sequence[Release], now: Release) -> None:
    out = console()
    for version in reversed(history):
        mark = Text("● ", "bold green") if version.number == now.number else Text("  ")
        line = Text.assemble(mark, (f"@{version.number}", "bold"), f"  {version.hash[:_HASH]}  {_about(version)}")
        out.print(line)
        for release in reversed(used):
            if release.number == version.number:
                how = "in use again" if release.undoes else "in use"
                proof = f", proven by experiment {release.experiment}" if release.experiment else ""
                out.print(Text(f"      {how} since {release.at[:16]}Z, by {release.by}{proof}", "dim"))


def _about(version: Version) -> str:
    parent = f"from @{version.parent}, depth {version.depth}, " if version.parent else ""
    reason = " ".join(readable(version.reason).split())
    return f"{parent}by {version.author} on {version.created_at[:10]}: {reason}"


def _two(versions: Versions, kind: Kind, names: Sequence[str]) -> tuple[Version, Version]:
    if len(names) > 2:
        raise UsageError("two versions at a time", f"loopwright {COMMANDS[kind]} diff NAME@1 NAME@2")
    found = [versions.get(kind, *named(name)) for name in names]
    if len(found) == 2:
        return found[0], found[1]
    if found[0].parent is None:
        raise UsageError(f"`{found[0].title}` is the first version", "name two: NAME@1 NAME@2")
    return versions.get(kind, found[0].name, found[0].parent), found[0]


def _lines(version: Version) -> list[str]:
    return (_as_lines(version) if version.kind == "profile" else version.content).splitlines()


def _as_lines(version: Version) -> str:
    set_to = parameters(version.content)
    nothing = "the agent's defaults" if version.name.startswith("worker/") else "as the worker"
    return "\n".join(f"{name} = {value}" for name, value in set_to.items()) or f"# sets nothing: {nothing}"
