"""Options and arguments that several commands share."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from loopwright.errors import UsageError
from loopwright.records.shape import ShapeError, seconds

Function = TypeVar("Function", bound=Callable[..., Any])


def duration(value: str) -> float:
    """Read 90s, 10m, 2h or 1h30m."""
    try:
        return seconds(value)
    except ShapeError as error:
        raise click.BadParameter(f"{error.message}; {error.hint}") from None


def limit(value: str) -> float:
    """Read a duration that has to be more than nothing."""
    if not (found := duration(value)) > 0:
        raise click.BadParameter("it must be more than 0")
    return found


def money(value: str) -> float:
    """Read an amount of US dollars that has to be more than nothing."""
    try:
        amount = float(value)
    except ValueError:
        raise click.BadParameter(f"`{value}` is not a number") from None
    if not 0 < amount < math.inf:
        raise click.BadParameter("it must be more than 0")
    return amount


def where(function: Function) -> Function:
    """Add --repo and --home."""
    repo = click.option(
        "--repo", type=click.Path(path_type=Path), default=Path(), show_default="here", help="The repository."
    )
    home = click.option("--home", metavar="DIR", help="Where the state lives (default: .loopwright in the repository).")
    return repo(home(function))


as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON on stdout.")


def read_comment(text: str | None) -> str:
    """Take a comment as it is; refuse one that says nothing."""
    if text is not None and not text.strip():
        raise UsageError("the comment is empty", "say what should be done differently")
    return text or ""
