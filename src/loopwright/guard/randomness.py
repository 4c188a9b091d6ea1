"""A value -> whether somebody made it up as a secret: by what it is made of, since nothing else tells."""

from __future__ import annotations

import re

_HEX = re.compile(rb"[0-9a-f]{32,}|[0-9A-F]{32,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_WORDS = re.compile(rb"[a-z]{7}|[A-Z]{7}")
_SHORT_WORDS = re.compile(rb"[a-z]{5}|[A-Z]{5}")
_SOLID = re.compile(rb"[a-z0-9]{24,}|[A-Z0-9]{24,}")
_TURN = re.compile(rb"[a-z](?=[A-Z0-9])|[A-Z](?=[0-9])|[0-9](?=[A-Za-z])")
_KEY = re.compile(rb"[A-Za-z0-9_+/.=~%-]+")
_SIGN = re.compile(rb"[!$%^&*#@?+~]")
_MAIL = re.compile(rb"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_PLACEHOLDER = re.compile(
    rb"(?i)^[$%*@#&/.~-]|\.\.\.|\*\*\*|xxx|://|%[sd]"
    rb"|example|change|placeholder|your|dummy|redacted|masked|sample|secrets\.|\benv|environ|config\.|settings\."
)


def looks_random(value: bytes) -> bool:
    """Tell a key of 20 characters or more from a name of something: names are made of words, and have few digits."""
    if _HEX.fullmatch(value) or (_SOLID.fullmatch(value) and _digits(value) >= 4 and _turns(value) >= 8):
        return True
    if len(value) < 20 or not _KEY.fullmatch(value):
        return False
    mixed = value.lower() != value and value.upper() != value
    return _digits(value) >= 2 and len(set(value)) >= 12 and mixed and not _WORDS.search(value)


def is_strange(value: bytes, least: int) -> bool:
    """Say whether signs, digits and letters stand in it as they do in passwords alone."""
    kinds = [value.lower() != value, value.upper() != value, _digits(value) > 0]
    return len(value) >= least and bool(_SIGN.search(value)) and sum(kinds) >= 2 and not _MAIL.fullmatch(value)


def mixes(value: bytes, least: int) -> bool:
    """Say whether digits and letters take turns in it as they do in no name."""
    if len(value) < least or not _KEY.fullmatch(value) or len(set(value)) < max(6, least // 2):
        return False
    return _digits(value) >= 2 and _turns(value) >= (3 if least < 16 else 5) and not _SHORT_WORDS.search(value)


def is_placeholder(value: bytes) -> bool:
    """Say whether it stands for a value: a variable, asterisks, `changeme`, a path."""
    return len(set(value)) < 5 or bool(_PLACEHOLDER.search(value))


def _digits(value: bytes) -> int:
    return sum(48 <= byte <= 57 for byte in value)


def _turns(value: bytes) -> int:
    return len(_TURN.findall(value))
