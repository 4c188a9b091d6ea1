"""The project that a command works on, let go of when the command has ended."""

from __future__ import annotations

from pathlib import Path

import click

from loopwright.wire import Project, open_project


def opened(repo: Path, home: str | None = None) -> Project:
    """Open the project for the command that is running."""
    last = ""

    def say(text: str) -> None:
        nonlocal last
        if text != last:  # several threads wait for one store
            click.echo(f"note: {text}", err=True)
        last = text

    project = open_project(repo, home, say)
    click.get_current_context().call_on_close(project.close)
    return project
