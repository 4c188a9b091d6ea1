"""Cursor's transcripts of plain text -> blocks: who speaks, what was thought, called and answered."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

from loopwright.text.bounded import TEXT_LIMIT

Kind = Literal["user", "assistant", "thinking", "call", "result"]

_MARK = re.compile(r"(?:(user|assistant|A):|\[(Thinking|Tool call|Tool result)\] ?(.*))\s*\Z")
_ARGUMENT = re.compile(r"\s+([A-Za-z_]\w{0,99}): ?(.*)\Z")
_SPEAKERS: dict[str, Kind] = {"user": "user", "assistant": "assistant", "A": "assistant"}
_KINDS: dict[str, Kind] = {"Thinking": "thinking", "Tool call": "call", "Tool result": "result"}
_OPEN, _CLOSED = "<user_query>", "</user_query>"


class Block(NamedTuple):
    """One thing that was said or done; a tool's has its name."""

    kind: Kind
    name: str
    text: str


def blocks_of(lines: Iterable[str]) -> Iterator[Block]:
    """Give the blocks of a transcript; a text that is longer than anybody keeps is cut."""
    kind: Kind = "assistant"
    name, kept, size, quoted = "", list[str](), 0, False
    for line in lines:
        mark = None if quoted else _MARK.match(line)
        starts_words = kind in ("thinking", "call") and not line.strip()
        if mark or starts_words:
            yield from _block(kind, name, kept)
            kept, size = [], 0
        if mark:
            speaker, what, name = mark.group(1), mark.group(2), (mark.group(3) or "").strip()
            kind = _SPEAKERS[speaker] if speaker else _KINDS[what]
        elif starts_words:
            kind, name = "assistant", ""
        elif size <= TEXT_LIMIT:  # one line more than is kept, so that it shows that it was cut
            kept.append(line)
            size += len(line)
        quoted = kind == "user" and (quoted or _OPEN in line) and _CLOSED not in line
    yield from _block(kind, name, kept)


def arguments_of(text: str) -> dict[str, str]:
    """Read the arguments of a call, a line each; what follows a line without a name belongs to the one before."""
    given: dict[str, str] = {}
    last = ""
    for line in text.splitlines():
        found = _ARGUMENT.match(line)
        if found:
            last = found.group(1)
            given[last] = found.group(2)
        elif last:
            given[last] += f"\n{line}"
    return given


def _block(kind: Kind, name: str, kept: list[str]) -> Iterator[Block]:
    text = "".join(kept).strip("\n")
    if kind == "thinking":
        yield Block(kind, "", f"{name}\n{text}".strip("\n"))
    elif kind in ("call", "result") or text.strip():
        yield Block(kind, name, text)
