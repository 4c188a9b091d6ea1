"""The first bytes of a file -> what can be said of it without reading the rest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

import orjson

from loopwright.ingest.lines import BOM, lines_of
from loopwright.ingest.reading import parsed

HEAD = 65_536
"""How much of a file is looked at."""
_LINES = 20
_ENOUGH = 10_000_000


def start_of(path: Path) -> bytes:
    """Give the first bytes of a file."""
    with path.open("rb") as file:
        return file.read(HEAD).removeprefix(BOM)


def head_of(path: Path) -> bytes:
    """Give the first bytes of a file; of JSON whose first lines are longer, those lines without their images."""
    head = start_of(path)
    if len(head) < HEAD - len(BOM) or head.count(b"\n") >= _LINES or not head.lstrip().startswith(b"{"):
        return head
    lines, size = [], 0
    for line in islice(lines_of(path), _LINES):
        lines.append(line)
        size += len(line)
        if size > _ENOUGH:
            break
    return b"".join(lines)


def objects_in(head: bytes) -> Iterator[Mapping[str, Any]]:
    """Give the JSON objects that are whole lines among the first."""
    for line in head.removeprefix(BOM).split(b"\n", _LINES)[:_LINES]:
        try:
            value = orjson.loads(line)
        except ValueError:
            value = parsed(line) if line.rstrip().endswith(b"}") else None
        if isinstance(value, dict):
            yield value
