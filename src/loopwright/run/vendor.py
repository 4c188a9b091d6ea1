"""What agents of vendors have in common when they are not at work: their version, their hosts, their prices."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from urllib.parse import urlsplit

from loopwright.process.tool import call
from loopwright.records.budget import Usage
from loopwright.records.event import Event, EventKind
from loopwright.text.prices import dollars

_VERSION = re.compile(r"\b\d+\.\d+\.\d+[\w.+-]*")
_LIMIT_S = 20.0


def version_of(program: str) -> str:
    """Ask a program for its version; empty where it does not say one."""
    try:
        done = call([program, "--version"], environment=os.environ, limit_s=_LIMIT_S)
    except (OSError, TimeoutError):
        return ""
    found = _VERSION.search((done.stdout + b"\n" + done.stderr).decode(errors="replace"))
    return found.group() if found else ""


def is_older(version: str, oldest: str) -> bool:
    """Compare two versions by their numbers; one that is not known is not older."""
    return bool(version) and _numbers(version) < _numbers(oldest)


def host_of(url: str) -> str:
    """Give the host of an address, with its port where it has one; empty where there is none."""
    try:
        parts = urlsplit(url)
        return f"{parts.hostname}:{parts.port}" if parts.port else parts.hostname or ""
    except ValueError:
        return ""


def priced(spent: Iterable[tuple[str, Usage]]) -> float:
    """Give what tokens of models cost by the table of prices; a model that it does not have costs nothing."""
    return sum(dollars(model, usage) or 0.0 for model, usage in spent)


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


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version)[:3])
