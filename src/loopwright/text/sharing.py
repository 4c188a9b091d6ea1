"""A diff that is too long -> a shorter one, in which every changed file has its share of the room."""

from __future__ import annotations

import re
from collections.abc import Sequence

from loopwright.text.excerpt import shortened

_FILE = re.compile(r"^(?=diff --git )", re.MULTILINE)  # inside of a hunk each line begins with a sign
_LEAST = 200
"""A file that has less room says nothing."""
_MARKER = 40
"""More than it takes to say that something is gone."""


def shared_out(diff: str, limit: int) -> tuple[str, int]:
    """Cut each file that is too long in its middle; give the rest, and how many characters were left out."""
    if len(diff) <= limit:
        return diff, 0
    parts = [part for part in _FILE.split(diff) if part][: max(1, limit // _LEAST)]
    share = _share([len(part) for part in parts], limit)
    room = (share - _MARKER) // 2 * 2
    kept = sum(len(part) if len(part) <= share else room for part in parts)
    return "".join(part if len(part) <= share else shortened(part, room) for part in parts), len(diff) - kept


def _share(lengths: Sequence[int], limit: int) -> int:
    """Give what each may take: what short ones leave is for the long ones."""
    room = limit
    for place, length in enumerate(sorted(lengths)):
        share = room // (len(lengths) - place)
        if length > share:
            return share
        room -= length
    return limit
