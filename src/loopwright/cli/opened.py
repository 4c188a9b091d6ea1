"""The project that a command works on, let go of when the command has ended."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click

from loopwright.wire import Project, Record, open_project, open_record


def opened(repo: Path, home: str | None = None) -> Project:
    """Open the project for the command that is running."""
    project = open_project(repo, home, _saying())
    click.get_current_context().call_on_close(project.close)
    return project


def opened_record(repo: Path, home: str | None = None) -> Record:
    """Open the store of a repository, or the user's own, for the command that is running."""
    record = open_record(repo, home, _saying())
    click.get_current_context().call_on_close(record.close)
    return record


def _saying() -> Callable[[str], None]:
    last = ""

    def say(text: str) -> None:
        nonlocal last
        if text != last:  # several threads wait for one store
            click.echo(f"note: {text}", err=True)
        last = text

    return say
