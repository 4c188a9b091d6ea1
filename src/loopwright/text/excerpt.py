"""A command's output -> the part of it that tells what went wrong."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

TERMINAL_CODES = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b\n]*(?:\x07|\x1b\\)|[()][0-9A-Za-z]|[@-Z\\^_=>78])"
)
_STRONG = re.compile(
    r"^E\s{2,}|^\s*(?:not ok|FAIL(?:ED)?\b|ERROR\b|Traceback|panic:|---\s*FAIL|●)|\bpanicked\b|✗|✘|✖|×"
    r"|\b[A-Z]\w*(?:Error|Exception)\b|\berror(?:\[\w+\])?:|\bassert",
)
_WEAK = re.compile(
    r"\b(?:errors?|fail(?:s|ed|ing|ures?)?|fatal|undefined|cannot|can't|exception|denied)\b", re.IGNORECASE
)
_LONGEST_LINE = 400
_BEFORE, _AFTER, _LAST = 2, 4, 12
_MARKER = 40
"""More than a marker takes."""


def plain(text: str) -> str:
    """Take out what is meant for a terminal: colours, titles, and lines that were written over."""
    text = TERMINAL_CODES.sub("", text).replace("\r\n", "\n")
    return "\n".join(line.rstrip("\r").rpartition("\r")[2] for line in text.split("\n")) if "\r" in text else text


def ends(text: str, first: int, last: int) -> str:
    """Give all of a short text; of a long one its first and its last characters."""
    return text if len(text) <= first + last else f"{text[:first]}\n{text[-last:]}"


def excerpt(output: str, limit: int = 4000) -> str:
    """Give all of a short output; of a long one the lines around failures and the last ones, within the limit."""
    text = plain(output).strip("\n")
    if len(text) <= limit:
        return text
    lines = [_narrowed(line, min(_LONGEST_LINE, limit // 4)) for line in text.split("\n")]
    kept = _pick(lines, limit)
    return _joined(lines, kept) if kept else text[max(0, len(text) - limit) :]


def shortened(text: str, limit: int, note: str = "") -> str:
    """Cut a text in the middle, and say there how much is gone, and what to do about it."""
    if len(text) <= limit:
        return text
    half = limit // 2
    told = f"{len(text) - 2 * half} characters cut{': ' if note else ''}{note}"
    return f"{text[:half]}\n[… {told} …]\n{text[-half:]}"


def _pick(lines: Sequence[str], limit: int) -> list[int]:
    kept: set[int] = set()
    room = limit - _MARKER
    for block in _blocks(lines):
        new = [index for index in block if index not in kept]
        cost = sum(len(lines[index]) + 1 for index in new) + _MARKER
        if new and cost <= room:
            kept.update(new)
            room -= cost
        if room < 2 * _MARKER:
            break
    return sorted(kept)


def _blocks(lines: Sequence[str]) -> Iterable[range]:
    """Give ranges of lines, the most telling first: the end, clear failures, then what might be one."""
    count = len(lines)
    last = _LAST
    while last:
        yield range(max(0, count - last), count)
        last //= 2
    for sign in (_STRONG, _WEAK):
        for index, line in enumerate(lines):
            if sign.search(line):
                yield range(max(0, index - _BEFORE), min(count, index + _AFTER + 1))
                yield range(index, index + 1)


def _joined(lines: Sequence[str], kept: Sequence[int]) -> str:
    parts, following = [], 0
    for index in kept:
        if index > following:
            left_out = index - following
            parts.append(f"… {left_out} line{'s' if left_out > 1 else ''} left out …")
        parts.append(lines[index])
        following = index + 1
    return "\n".join(parts)


def _narrowed(line: str, limit: int) -> str:
    half = limit // 2
    return line if len(line) <= limit else f"{line[:half]}…{line[len(line) - half + 1 :]}"
