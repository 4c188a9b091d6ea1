"""The first bytes of a file -> what can be said of it without reading the rest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import orjson

HEAD = 65_536
"""How much of a file is looked at."""
_LINES = 20


def objects_in(head: bytes) -> Iterator[Mapping[str, Any]]:
    """Give the JSON objects that are whole lines among the first."""
    for line in head.split(b"\n", _LINES)[:_LINES]:
        try:
            value = orjson.loads(line)
        except ValueError:
            continue
        if isinstance(value, dict):
            yield value
