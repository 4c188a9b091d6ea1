"""`loopwright profiles`: what agents are set to, in versions."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from loopwright.cli.options import where, why
from loopwright.cli.versions import opened_versions, put, version_group
from loopwright.release.profiles import changed, known_parameters, profile_content

profiles = version_group("profile", "What an agent is set to, by role and task type, in versions: model, tools …")


@profiles.command("set")
@click.argument("name")
@click.argument("values", nargs=-1, required=True, metavar="PARAMETER=VALUE…")
@click.option("--reason", required=True, type=why, metavar="TEXT", help="Why it is written.")
@click.option("--from", "parent", type=int, metavar="NUMBER", help="The version it is made of.  [default: in use]")
@click.option("--rebase", is_flag=True, help="You stand for the whole of it: its depth begins anew.")
@click.option("--draft", is_flag=True, help="Write it down, and do not put it into use.")
@where
def set_profile(
    name: str,
    values: Sequence[str],
    reason: str,
    parent: int | None,
    rebase: bool,
    draft: bool,
    repo: Path,
    home: str | None,
) -> None:
    """Write a profile down with other values, and put it into use; PARAMETER= takes one out."""
    versions = opened_versions(repo, home)
    before = versions.get("profile", name, parent)
    content = profile_content(changed(before.content, values, known_parameters(name)))
    version = versions.write("profile", name, content, reason, parent=parent, rebase=rebase)
    put(versions, version, reason, draft=draft)
