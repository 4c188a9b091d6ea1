"""`loopwright prompts`: what agents are told, in versions."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import IO

import click

from loopwright.cli.options import as_json, where, why
from loopwright.cli.output import print_json
from loopwright.cli.versions import named, opened_versions, put, user, version_group
from loopwright.errors import SettingError, UsageError
from loopwright.release.elsewhere import Elsewhere
from loopwright.release.items import Item, deploy
from loopwright.release.versions import Versions
from loopwright.text.readable import readable

prompts = version_group("prompt", "What worker, planner, verifier and critic are told, by task type, in versions.")


@prompts.command("set")
@click.argument("name")
@click.argument("file", type=click.File("rb"), default="-")
@click.option("--reason", required=True, type=why, metavar="TEXT", help="Why it is written.")
@click.option("--from", "parent", type=int, metavar="NUMBER", help="The version it is made of.  [default: in use]")
@click.option("--rebase", is_flag=True, help="You stand for the whole of it: its depth begins anew.")
@click.option("--draft", is_flag=True, help="Write it down, and do not put it into use.")
@where
def set_prompt(
    name: str, file: IO[bytes], reason: str, parent: int | None, rebase: bool, draft: bool, repo: Path, home: str | None
) -> None:
    """Write FILE (or stdin) down as the next version of a prompt, and put it into use."""
    versions = opened_versions(repo, home)
    version = versions.write("prompt", name, _text(file), reason, parent=parent, rebase=rebase)
    put(versions, version, reason, draft=draft)


@prompts.command("deploy")
@click.argument("names", nargs=-1, required=True, metavar="NAME@NUMBER…")
@click.option("--reason", default="deployed", type=why, metavar="TEXT", help="Why.")
@where
@as_json
def deploy_prompts(names: Sequence[str], reason: str, repo: Path, home: str | None, as_json: bool) -> None:
    """Put versions into use that are written down; one that is not safe is left out, and the others go on."""
    wanted = [_numbered(name) for name in names]
    _tell(deploy(opened_versions(repo, home), wanted, user(), reason), as_json)


@prompts.command("import")
@click.option("--draft", is_flag=True, help="Write them down, and do not put them into use.")
@where
@as_json
def import_prompts(draft: bool, repo: Path, home: str | None, as_json: bool) -> None:
    """Bring in the prompts of the registry, each as a version, and put them into use."""
    versions = opened_versions(repo, home)
    found = _elsewhere(versions)
    _tell(found.take_in(versions, user(), draft=draft), as_json, f"{found.kind} has no prompt `{found.example}`")


@prompts.command("sync")
@click.argument("names", nargs=-1, metavar="[NAME…]")
@click.option("--ours", is_flag=True, help="Write over edits that were made there; they are kept here as versions.")
@where
@as_json
def sync_prompts(names: Sequence[str], ours: bool, repo: Path, home: str | None, as_json: bool) -> None:
    """Make the registry say what is in use here."""
    versions = opened_versions(repo, home)
    found = _elsewhere(versions)
    _tell(found.sync(versions, names, ours=ours), as_json, f"{found.kind} has no prompt `{found.example}`")


def _text(file: IO[bytes]) -> str:
    try:
        return file.read().decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise UsageError(f"`{file.name}` is not UTF-8, from byte {error.start + 1} on", "save it as UTF-8") from None


def _numbered(words: str) -> tuple[str, int]:
    name, number = named(words)
    if number is None:
        raise UsageError(f"`{words}` names no version", f"write {name}@2; see: loopwright prompts log {name}")
    return name, number


def _elsewhere(versions: Versions) -> Elsewhere:
    if not isinstance(versions.elsewhere, Elsewhere):
        hint = 'write kind = "files", "promptlayer" or "langfuse" below [registry] in loopwright.toml'
        raise SettingError("no registry is set: the prompts are in the store alone", hint)
    return versions.elsewhere


def _tell(items: Sequence[Item], as_json: bool, nothing: str = "") -> None:
    """Print what became of each; the exit code says whether all went well."""
    if as_json:
        print_json([dataclasses.asdict(item) for item in items])
    for item in () if as_json else items:
        title = f"{item.name}@{item.number}" if item.number else item.name
        click.echo(readable(f"{'' if item.done else 'left out: '}{title}: {item.words}"), err=True)
    if not items:
        click.echo(f"{nothing}: there is nothing to do", err=True)
    if not all(item.done for item in items):
        click.get_current_context().exit(1)
