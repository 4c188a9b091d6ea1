"""A long word -> whether it is a secret of no known format: one that looks random, given to a name that says so."""

from __future__ import annotations

import re

from loopwright.guard.randomness import looks_random

_BEFORE = 100
"""How many bytes before the value belong to the assignment, at most."""
_LONGEST = 1000

_NAME = re.compile(
    rb"""(?i:secret|token|passw(?:or)?d|passphrase|api[_-]?key|access[_-]?key|private[_-]?key|auth[_-]?key)"""
    rb"""[A-Za-z0-9_.-]{0,30}(?:\\{0,7}["'])?[ \t]{0,3}(?:=>|:=|[:=])[ \t]{0,3}(?:\\{0,7}["'])?$"""
)
_ENDS = frozenset(b"=:>\"' \t")
_VALUE = re.compile(rb"[A-Za-z0-9_+/.=~-]{20,%d}" % _LONGEST)


def assigned(raw: bytes, place: int) -> int:
    """Give where a secret ends that begins at a place; 0 where none does."""
    if raw[place - 1] not in _ENDS:
        return 0  # most words are done with here: to search for the name takes twenty times as long
    before = raw[max(0, place - _BEFORE) : place]
    lower = before.lower()
    if b"token" not in lower and b"key" not in lower and b"secret" not in lower and b"pass" not in lower:
        return 0
    if not _NAME.search(before):
        return 0
    value = _VALUE.match(raw, place)
    return value.end() if value and looks_random(value[0]) else 0
