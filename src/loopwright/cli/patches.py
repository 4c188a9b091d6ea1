"""`loopwright patches`: changes that could help, and what became of them."""

from __future__ import annotations

import dataclasses
import difflib
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from rich.table import Table
from rich.text import Text

from loopwright.cli.criteria import criteria_options
from loopwright.cli.opened import opened, opened_record
from loopwright.cli.options import as_json, moment, where
from loopwright.cli.output import console, print_json
from loopwright.cli.patch_run import run_patch
from loopwright.cli.versions import user
from loopwright.cycle.applying import apply, settings_file
from loopwright.equipping import notice_edits
from loopwright.errors import UsageError
from loopwright.mending import make_deploying, make_patching
from loopwright.patch.config import toml_lines_of
from loopwright.records.identity import short, timestamp
from loopwright.records.patch import Patch
from loopwright.release.learned import Library
from loopwright.text.readable import readable
from loopwright.wire import make_measuring

_EMPTY = "there is no patch yet; make them from what goes wrong again and again: loopwright patches make"


@click.group()
def patches() -> None:
    """Changes that could help: made from what goes wrong, proven before they are used."""


@patches.command("make")
@click.option("--since", type=moment, metavar="TIME", help="Only what happened since: 30d, 1w, 2026-11-01.")
@where
@as_json
def make(since: float | None, repo: Path, home: str | None, as_json: bool) -> None:
    """Make patches of what goes wrong again and again; what was proposed before is not proposed again."""
    record = opened_record(repo, home)
    make_measuring(record).measure()
    patching = make_patching(record)
    notice_edits(patching.library, record.home, lambda text: click.echo(text, err=True))
    made = patching.make(since="" if since is None else timestamp(max(0.0, since)))
    _tell(made, as_json, "nothing new was found that a rule or the library has a remedy for")


@patches.command("list")
@click.option("--all", "everything", is_flag=True, help="Also what was rejected, refused or rolled back.")
@where
@as_json
def list_patches(everything: bool, repo: Path, home: str | None, as_json: bool) -> None:
    """List patches, the newest first."""
    deploying = make_deploying(opened_record(repo, home))
    deploying.follow()
    known = deploying.patches.all()
    shown = [one for one in known if everything or one.status not in ("rejected", "refused", "rolled_back")]
    _tell(shown, as_json, f"{len(known)} are rejected or refused: --all lists them" if known else _EMPTY)


@patches.command("show")
@click.argument("patch_id", metavar="ID")
@where
@as_json
def show(patch_id: str, repo: Path, home: str | None, as_json: bool) -> None:
    """Show a patch: what it changes, why, and what became of it."""
    deploying = make_deploying(opened_record(repo, home))
    deploying.follow()
    patch = deploying.patches.find(patch_id)
    if as_json:
        print_json(_plain(patch))
        return
    out = console()
    out.print(Text(readable(patch.title), "bold"))
    status = f"{patch.status}: {patch.why}" if patch.why else patch.status
    about = f"{patch.type} of {patch.target} · by {patch.author} on {patch.created_at[:10]} · {status}"
    out.print(Text(readable(about), "dim"), soft_wrap=True)
    out.print(Text(readable(f"\n{patch.reason}\n")), soft_wrap=True)
    click.echo(readable(change_of(patch, deploying.library)))
    if patch.runs:
        out.print(Text(f"made from: {', '.join(short(one) for one in patch.runs)}", "dim"))


@patches.command("test")
@click.argument("patch_id", metavar="ID")
@click.option("--maximum", type=int, default=600, show_default=True, metavar="N", help="Pairs at most.")
@click.option("--share", type=float, default=1.0, metavar="PART", help="Of live tasks, so much takes part.")
@where
def test(patch_id: str, maximum: int, share: float, repo: Path, home: str | None) -> None:
    """Begin the experiment of a patch: what is in use against what it would be."""
    deploying = make_deploying(opened_record(repo, home))
    deploying.follow()
    patch = deploying.test(deploying.patches.find(patch_id), user(), maximum=maximum, share=share)
    name = f"patch-{short(patch.id)}"
    click.echo(f"{name} has begun; on finished tasks: loopwright replay --experiment {name}", err=True)


@patches.command("release")
@click.argument("patch_id", metavar="ID")
@click.option("--now", is_flag=True, help="Also what is not proven, on your own word.")
@where
def release(patch_id: str, now: bool, repo: Path, home: str | None) -> None:
    """Put a patch into use that its experiment has proven."""
    deploying = make_deploying(opened_record(repo, home))
    patch = deploying.release(deploying.patches.find(patch_id), user(), now=now)
    back = "prompts" if patch.surface == "prompt" else "profiles"
    click.echo(f"{patch.target} is changed; back with: loopwright {back} rollback {patch.target}", err=True)


@patches.command("apply")
@click.argument("patch_id", metavar="ID")
@click.option("--yes", is_flag=True, help="Do not ask.")
@where
def apply_patch(patch_id: str, yes: bool, repo: Path, home: str | None) -> None:
    """Write the change of a setting into the settings file; all else in it stays as it is."""
    project = opened(repo, home)
    found = project.store.patches
    patch = found.find(patch_id)
    if patch.surface != "config" or patch.status not in ("proposed", "applied"):
        words = f"it is a {patch.type}, {patch.status}{f': {patch.why}' if patch.why else ''}"
        raise UsageError(f"the patch can't be applied: {words}", f"see: loopwright patches show {short(patch.id)}")
    path, _ = settings_file(project.repository.root)
    if not yes:
        click.echo(f"in {path}:\n{toml_lines_of(patch)}", err=True)
        _ask("write it?")
    written = apply(patch, project.repository.root)
    found.save(dataclasses.replace(patch, status="applied", why=f"by {user()}"), patch.status)
    click.echo(f"{patch.target} = {patch.after} is written into {written}", err=True)


@patches.command("run")
@click.argument("patch_id", metavar="ID")
@criteria_options
@click.option("--profile", default="", metavar="NAME", help="A profile of the settings file.")
@click.option("--agent", default="", metavar="NAME", help="Who works.")
@click.option("--agent-command", default="", metavar="CMD", help="Any program as the agent.")
@where
@as_json
def run_one(patch_id: str, repo: Path, home: str | None, as_json: bool, **flags: Any) -> int:
    """Make a task of a report on code, with criteria of its own or of the runs behind it, and run it."""
    return run_patch(opened(repo, home), patch_id, flags, as_json)


@patches.command("reject")
@click.argument("patch_id", metavar="ID")
@click.option("--reason", required=True, metavar="TEXT", help="Why.")
@where
def reject(patch_id: str, reason: str, repo: Path, home: str | None) -> None:
    """Turn a patch down; it is not proposed again."""
    deploying = make_deploying(opened_record(repo, home))
    patch = deploying.reject(deploying.patches.find(patch_id), user(), reason)
    click.echo(f"rejected, and not proposed again: {patch.title}", err=True)


def change_of(patch: Patch, library: Library) -> str:
    """Write what a patch changes, as people read it; of entries, what an agent is told."""
    if patch.surface == "config":
        return toml_lines_of(patch)
    if patch.surface == "code":
        return patch.after
    before, after = patch.before, patch.after
    if patch.surface == "playbook":
        before, after = (library.telling(json.loads(titles)).text for titles in (before, after))
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), "in use", "patched", lineterm="")
    return "\n".join(lines)


def _ask(question: str) -> None:
    if not sys.stdin.isatty():
        raise UsageError("nobody is there to ask", "look at it, then say --yes")
    click.confirm(question, abort=True, err=True)


def _tell(found: Sequence[Patch], as_json: bool, nothing: str) -> None:
    if as_json:
        print_json([_plain(patch) for patch in found])
        return
    if not found:
        click.echo(nothing, err=True)
        return
    table = Table(box=None, pad_edge=False, header_style="dim")
    for title in ("id", "type", "status", "what"):
        table.add_column(title, no_wrap=title != "what")
    for patch in found:
        words = f"{patch.title} ({patch.why})" if patch.why else patch.title
        table.add_row(short(patch.id), patch.type, patch.status, Text(readable(words)))
    console().print(table)


def _plain(patch: Patch) -> dict[str, Any]:
    return dataclasses.asdict(patch) | {"type": patch.type, "hash": patch.hash, "deployable": patch.is_deployable}
