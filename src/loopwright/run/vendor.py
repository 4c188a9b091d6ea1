"""What agents of vendors have in common when they are not at work: their place, version, hosts and prices."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import urlsplit

from loopwright.process.tool import call
from loopwright.records.budget import Usage
from loopwright.records.event import Event, EventKind
from loopwright.run.dependencies import leads_into
from loopwright.text.prices import dollars, unknown_cost

_VERSION = re.compile(r"\b\d+\.\d+\.\d+[\w.+-]*")
_LIMIT_S = 20.0
_NOWHERE = "/nonexistent"


def find_program(name: str, workspace: Path | None = None) -> str:
    """Find a program on the user's own PATH, in full; never one that the repository or the workspace brings."""
    if os.sep in name:  # it was chosen
        return str(Path(found).absolute()) if (found := shutil.which(name)) else ""
    strangers = [place for place in (_repository(Path.cwd()), workspace) if place]
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
        found = shutil.which(name, path=folder) if Path(folder).is_absolute() else None
        if found and not any(leads_into(place, found) for place in strangers):
            return found
    return ""


def program_to_start(name: str, workspace: Path | None = None) -> str:
    """Give a program's full path; where it is gone, one that leads nowhere: a bare name may lead into the workspace."""
    return find_program(name, workspace) or f"{_NOWHERE}/{Path(name).name}"


def version_of(program: str) -> str:
    """Ask a program for its version; empty where it does not say one."""
    try:
        done = call([program_to_start(program), "--version"], environment=os.environ, limit_s=_LIMIT_S)
    except (OSError, TimeoutError):
        return ""
    found = _VERSION.search((done.stdout + b"\n" + done.stderr).decode(errors="replace"))
    return found.group() if found else ""


def is_older(version: str, oldest: str) -> bool:
    """Compare two versions by their numbers; one that is not known is not older."""
    return bool(version) and _numbers(version) < _numbers(oldest)


def host_of(url: str) -> str:
    """Give the host of an address, with its port where it has one; empty where it has none or can't be read."""
    try:
        parts = urlsplit(url)
        _ = parts.port  # ValueError where it is none
    except ValueError:
        return ""
    return parts.netloc.rpartition("@")[2].removesuffix(":").lower()


def priced(spent: Iterable[tuple[str, Usage]]) -> tuple[float, list[Event]]:
    """Give what tokens of models cost by the table of prices, and a note for each model that it does not have."""
    costs = {model: dollars(model, usage) for model, usage in spent}
    notes = [Event(EventKind.NOTE, unknown_cost(model)) for model, cost in costs.items() if cost is None]
    return sum(cost or 0.0 for cost in costs.values()), notes


def usage_event(tokens: Usage, cost_usd: float) -> Event:
    """Tell tokens and cost that came to what was told before."""
    told = {
        "input": tokens.input,
        "output": tokens.output,
        "cache_read": tokens.cache_read,
        "cache_write": tokens.cache_write,
        "cost_usd": cost_usd,
    }
    text = f"{tokens.total - tokens.output:,} tokens in, {tokens.output:,} out, ${cost_usd:.4f}"
    return Event(EventKind.USAGE, text, data=told)


def _repository(folder: Path) -> Path | None:
    """Give the checkout that a folder is in; none where that is the home, where all programs of a user lie."""
    root = next((place for place in (folder, *folder.parents) if (place / ".git").exists()), None)
    return None if root == Path.home() else root


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version)[:3])
