"""A long word -> whether it is a secret of no known format: one that looks random, given to a name that says so."""

from __future__ import annotations

import re

_BEFORE = 100
"""How many bytes before the value belong to the assignment, at most."""
_LONGEST = 1000

_NAME = re.compile(
    rb"""(?i:secret|token|passw(?:or)?d|passphrase|api[_-]?key|access[_-]?key|private[_-]?key|auth[_-]?key)"""
    rb"""[A-Za-z0-9_.-]{0,30}(?:\\{0,7}["'])?[ \t]{0,3}(?:=>|:=|[:=])[ \t]{0,3}(?:\\{0,7}["'])?$"""
)
_ENDS = frozenset(b"=:>\"' \t")
_VALUE = re.compile(rb"[A-Za-z0-9_+/.=~-]{20,%d}" % _LONGEST)
_HEX = re.compile(rb"[0-9a-f]{32,}|[0-9A-F]{32,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_WORDS = re.compile(rb"[a-z]{7}|[A-Z]{7}")


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
    return value.end() if value and _looks_random(value[0]) else 0


def _looks_random(value: bytes) -> bool:
    """Tell a key from a name of something: names are made of words, and have few digits."""
    if _HEX.fullmatch(value):
        return True
    digits = sum(48 <= byte <= 57 for byte in value)
    mixed = value.lower() != value and value.upper() != value
    return digits >= 2 and len(set(value)) >= 12 and mixed and not _WORDS.search(value)
