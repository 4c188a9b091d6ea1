"""Bytes -> the secrets of no known format in them that are told by their name: `DB_PASS=…`, `?sig=…`, `--token …`.

A name alone says little: what is an ordinary word, a placeholder or a path is left as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from loopwright.guard.randomness import is_placeholder, is_strange, looks_random, mixes

_SPOKEN = (b"pass", b"pwd", b"secret", b"token", b"key", b"credential", b"sig=", b"signature=")
"""What such names have in them; to find these first costs a tenth of what an expression does."""
_BEFORE = 40
_AFTER = 1100
_NAME = re.compile(rb"-{0,2}[A-Za-z0-9_.-]{0,40}\Z")
_REST = re.compile(
    rb"""(?P<name>[A-Za-z0-9_]{0,20})(?:(?:\\{0,7}["'])?[ \t]{0,3}(?:=>|:=|[:=])[ \t]{0,3}|(?P<option>[ \t]{1,2}))"""
    rb"""(?P<quote>\\{0,7}["'])?(?P<value>[^\s"'\\<>(){}\[\],;`|]{8,1000})(?![(\[{<])"""
)
_SAYS_SO = re.compile(
    rb"(?i:(?P<password>passw(?:or)?d|passphrase|(?:^|[_.-]|pg)pass|pwd|credential)|secret|token"
    rb"|(?:api|access|private|auth|secret|encryption|fernet|signing|master|client|account|deploy|service)[_-]?key)"
    rb"[sS]?\d{0,2}$"
)
_HARMLESS = frozenset({b"PWD", b"OLDPWD", b"pwd"})
_IN_QUERIES = frozenset({b"key", b"sig", b"signature"})


def named(raw: bytes, first: int, stop: int) -> Iterator[tuple[int, int]]:
    """Give where such secrets begin and end whose names begin between two places."""
    lower = raw[first:stop].lower()
    for word in _SPOKEN:
        place = lower.find(word)
        while place >= 0:
            if found := _value(raw, first + place, word):
                yield found
            place = lower.find(word, place + len(word))


def _value(raw: bytes, place: int, word: bytes) -> tuple[int, int] | None:
    """Give the value that follows a name, where it is a secret."""
    known = len(word) - word.endswith(b"=")
    rest = _REST.match(raw, place + known, place + _AFTER)
    before = _NAME.search(raw, max(0, place - _BEFORE), place) if rest else None
    if rest is None or before is None:
        return None
    name = before[0] + raw[place : place + known] + rest["name"]
    is_query = raw[before.start() - 1 : before.start()] in (b"?", b"&") and before.start() > 0
    if rest["option"] and not name.startswith(b"--"):
        return None
    says_so = _SAYS_SO.search(name)
    if name in _HARMLESS or not (says_so or (is_query and name.lower() in _IN_QUERIES)):
        return None
    value = rest["value"].partition(b"&")[0] if is_query else rest["value"]
    is_set = name.isupper() or is_query or bool(rest["option"])
    is_password = bool(says_so and says_so["password"])
    if not _is_secret(value, is_password, is_set, is_set or bool(rest["quote"])):
        return None
    return rest.start("value"), rest.start("value") + len(value)


def _is_secret(value: bytes, is_password: bool, is_set: bool, is_whole: bool) -> bool:
    """Decide by the value: the more its place says that it is one, the less random it has to be."""
    if is_placeholder(value):
        return False
    if looks_random(value) or (is_whole and is_strange(value, 8 if is_password else 10)):
        return True
    return is_set and mixes(value, 8 if is_password else 16)
