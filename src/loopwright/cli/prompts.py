"""`loopwright prompts`: what agents are told, in versions."""

from __future__ import annotations

from pathlib import Path
from typing import IO

import click

from loopwright.cli.opened import opened_record
from loopwright.cli.options import where
from loopwright.cli.versions import put, version_group
from loopwright.wire import make_versions

prompts = version_group("prompt", "What worker, planner, verifier and critic are told, by task type, in versions.")


@prompts.command("set")
@click.argument("name")
@click.argument("file", type=click.File(encoding="utf-8"), default="-")
@click.option("--reason", required=True, metavar="TEXT", help="Why it is written.")
@click.option("--from", "parent", type=int, metavar="NUMBER", help="The version it is made of.  [default: in use]")
@click.option("--rebase", is_flag=True, help="You stand for the whole of it: its depth begins anew.")
@click.option("--draft", is_flag=True, help="Write it down, and do not put it into use.")
@where
def set_prompt(
    name: str, file: IO[str], reason: str, parent: int | None, rebase: bool, draft: bool, repo: Path, home: str | None
) -> None:
    """Write FILE (or stdin) down as the next version of a prompt, and put it into use."""
    versions = make_versions(opened_record(repo, home))
    version = versions.write("prompt", name, file.read(), reason, parent=parent, rebase=rebase)
    put(versions, version, reason, draft=draft)
