"""Options and arguments that several commands share."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

import click

from loopwright.errors import UsageError
from loopwright.records.shape import ShapeError, seconds
from loopwright.text.readable import readable

_DATE = re.compile(r"\d{4}-\d{1,2}-\d{1,2}", re.ASCII)
_WEEK = 7 * 86400.0
_MOST_DIGITS = 7
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


def moment(value: str) -> float:
    """Read when something begins: so long ago (30d, 12h, 1w), or a date, in UTC as all days of a report."""
    text = value.strip()
    if _DATE.fullmatch(text):
        return _day(text)
    if not any(sign.isalpha() for sign in text) and text:
        raise click.BadParameter(f"`{text}` has no unit; write 30d, 12h, 1w or a date such as 2026-11-01")
    weeks, unit, rest = text.partition("w")
    if unit and weeks.isdecimal() and len(weeks) < _MOST_DIGITS and int(weeks):
        return time.time() - int(weeks) * _WEEK - (duration(rest) if rest else 0)
    try:
        return time.time() - limit(text)
    except click.BadParameter as error:
        hint = "; 30d, 12h, 1w or a date such as 2026-11-01 would be right" if "duration" in error.message else ""
        raise click.BadParameter(f"{error.message.partition(';')[0]}{hint}") from None


def why(value: str) -> str:
    """Take a reason, which has to say something."""
    if not value.strip():
        raise UsageError(f"the reason `{readable(value)}` says nothing", 'say why: --reason "so that …"')
    return value


def _day(text: str) -> float:
    try:
        found = datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()
    except ValueError:
        raise click.BadParameter(f"there is no day `{text}`; write it as 2026-11-01") from None
    if found > time.time():
        raise click.BadParameter(f"`{text}` is still to come; name a day that has begun")
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
