"""Cursor's files -> which session each is of, and of what kind it is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from loopwright.ingest.lines import BOM
from loopwright.ingest.plain import digest
from loopwright.ingest.sniffing import objects_in, start_of
from loopwright.text.bounded import field

SUBAGENTS = "subagents"
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE | re.ASCII)
_PREFIX = b"stdout:"
_PREFIXES = re.compile(rb"^[ \t]*stdout:", re.MULTILINE)


def lines_in(head: bytes) -> Iterator[Mapping[str, Any]]:
    """Give the objects among the first lines, without what some versions put before every line."""
    return objects_in(_PREFIXES.sub(b"", head) if _PREFIX in head else head)


def bare(line: bytes) -> bytes:
    """Take off what some versions put before a line."""
    return line.lstrip().removeprefix(_PREFIX)


def is_text(head: bytes) -> bool:
    """Say whether a file is a transcript of plain text."""
    head = head.removeprefix(BOM).replace(b"\r\n", b"\n")
    return head.lstrip().startswith(b"user:\n") and (b"<user_query>" in head or b"\nassistant:\n" in head)


def session_of(path: Path) -> str:
    """Give the session that a stream names, else the one that the file is named for."""
    return _told(path) or _name(path)


def without_copies(paths: Sequence[Path]) -> list[Path]:
    """Give the files of a session, the subagents' last; of a transcript that is there twice, the larger one."""
    found: dict[tuple[bool, str], Path] = {}
    for path in sorted(paths, key=lambda path: (path.stat().st_size, str(path))):
        found[path.parent.name == SUBAGENTS, str(path) if _told(path) else path.stem] = path
    return sorted(found.values(), key=lambda path: (path.parent.name == SUBAGENTS, str(path)))


def _told(path: Path) -> str:
    return next(filter(None, (field(line.get("session_id"), 200) for line in lines_in(start_of(path)))), "")


def _name(path: Path) -> str:
    """Name a session by its file; where that is no id that is given once, also by the folder that it lies in."""
    name, folder = path.stem, path.parent
    if folder.name == SUBAGENTS:
        name, folder = folder.parent.name, folder.parent.parent
    elif folder.name == name:
        folder = folder.parent
    return name if _UUID.fullmatch(name) else f"{name[:150]}-{digest(str(folder))[:8]}"
