"""The environment -> the secrets in it, in every form in which they may be printed."""

from __future__ import annotations

import json
import re
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterable, Iterator, Mapping
from urllib.parse import quote, quote_plus, unquote

from loopwright.guard.formats import LOOK_AHEAD, Found, places_of

SHORTEST = 8
_LONGEST = 2048
_ANCHOR = 16
_ESCAPED = 512
"""Longer secrets are not looked for with each sign escaped."""

_SAYS_SO = re.compile(
    r"(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|PASS)S?\d*(?:_|$)|(?:^|_)(?:AUTH|PRIVATE|PWD)(?:_|\d*$)"
)
_HARMLESS_NAME = re.compile(
    r"_(?:PATH|FILE|DIR|SOCK)\d*$|(?:^|_)PUBLIC_KEY\d*$|(?:ASK|BY|COM)PASS\d*(?:_|$)|^GPG_KEY$|^PWD$"
)
_HARMLESS = re.compile(
    r"[\d.,:_-]+|[A-Z]?[a-z]{1,12}|[A-Z]{1,12}|[a-z]+(?:[-_ ][a-z]+){1,2}"  # numbers, a word, two or three words
    r"|[a-z]+(?:[.@-][a-z]+){0,6}\.[a-z]{2,4}(?::\d+)?"  # hosts
    r"|(?:~|\.{1,2})?/(?:home|Users|usr|tmp|var|etc|opt|root|run|mnt|srv|private|Library|nix|bin)(?:/.*)?|(?:~|\.{1,2})/.*"
)
_COMMON = {"password", "changeme", "postgres", "localhost", "disabled", "required", "optional", "username", "undefined"}
_PASSWORD = re.compile(
    r"^[\w+.-]+://[^\s:/@]*:(?!\d{1,5}/)(\S+?)@(?![^\s/?#@]*@)"  # up to the last `@` before the path
    r"|\b(?:password|pwd)\s*=\s*(?:'((?:[^'\\]|\\.)+)'|\"([^\"]+)\"|\{([^}]+)\}|([^\s;&'\"{][^\s;&]*))",
    re.IGNORECASE,
)
_PERCENT = re.compile(r"%[0-9A-F]{2}")
_BEHIND_BACKSLASH = re.compile(r"\\(.)")
_URL = re.compile(r"[\w+.-]+://\S*")


class Known:
    """Finds the secrets of an environment in bytes."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        values = {value for name, text in environment.items() for value in _secrets(name, text)}
        forms = {form for value in values for form in _forms(value)}
        self._forms: dict[bytes, list[bytes]] = {}
        """By their first bytes, which are searched: Python's search gets slower when a needle has many different."""
        self._escaped = _escaped(values)
        for form in sorted(forms):
            self._forms.setdefault(form[:_ANCHOR], []).append(form)

    def find(self, raw: bytes, begin: int, stop: int) -> list[Found]:
        """Give what begins between two places."""
        found: list[Found] = []
        for anchor, forms in self._forms.items():
            for place in places_of(anchor, raw, begin, stop):
                lengths = [len(form) for form in forms if raw.startswith(form, place)]
                found += [(place, place + length, "environment_secret") for length in lengths]
        return found + self._find_escaped(raw, begin, stop)

    def _find_escaped(self, raw: bytes, begin: int, stop: int) -> list[Found]:
        if self._escaped is None or raw.find(b"\\", begin, stop) < 0:
            return []
        matches = self._escaped.finditer(raw, begin, min(len(raw), stop + LOOK_AHEAD))
        return [(one.start(), one.end(), "environment_secret") for one in matches if one.start() < stop]


def _secrets(name: str, text: str) -> Iterator[str]:
    """Give what is secret in the value of a variable, line by line: a search never crosses lines."""
    passwords = [found for pair in _PASSWORD.findall(text) for found in pair if found]
    ways = (way for found in passwords for way in {found, unquote(found), _BEHIND_BACKSLASH.sub(r"\1", found)})
    yield from (word for word in ways if _is_secret(name, word))
    if passwords or not _says_secret(name) or _URL.fullmatch(text):
        return
    lines = [line.strip() for line in text.splitlines()]
    if len(lines) == 1:
        yield from (line for line in lines if _is_secret(name, line))
    else:
        yield from (line for line in lines if len(line) >= 24 and " " not in line)


def _says_secret(name: str) -> bool:
    upper = name.upper()
    return bool(_SAYS_SO.search(upper)) and not _HARMLESS_NAME.search(upper)


def _is_secret(name: str, value: str) -> bool:
    if len(value) < SHORTEST or len(set(value)) < 4 or value.lower() in _COMMON:
        return False
    return "PASS" in name.upper() or "://" in value or not _HARMLESS.fullmatch(value)


def _forms(value: str) -> Iterator[bytes]:
    raw = value.encode(errors="surrogateescape")
    shown = value.encode(errors="replace").decode()
    escaped = {quote(shown, safe=""), quote(shown), quote_plus(shown)}
    written = {json.dumps(shown)[1:-1], json.dumps(shown, ensure_ascii=False)[1:-1], *escaped}
    written |= {_PERCENT.sub(lambda found: found[0].lower(), text) for text in escaped}
    for form in {raw, *(text.encode() for text in written), *_base64(raw)}:
        yield from (part for part in _parts(form) if len(part) >= SHORTEST)


def _escaped(values: Iterable[str]) -> re.Pattern[bytes] | None:
    """Match secrets as any JSON may write them: `\\/`, `\\u0026`, each sign by itself as it is or escaped."""
    short = [value for value in sorted(values) if len(value.encode("utf-16", "surrogatepass")) <= 2 * _ESCAPED]
    patterns = [b"".join(_written(sign) for sign in value) for value in short]
    return re.compile(b"|".join(patterns)) if patterns else None


def _written(sign: str) -> bytes:
    """Match one sign as it is, by its number (two of them beyond the first 65,536), or behind a backslash."""
    numbers = sign.encode("utf-16-be", "surrogatepass").hex(" ", 2).split()
    spelled = "".join(rf"\\u(?i:{number})" for number in numbers).encode()
    ways = [re.escape(sign.encode(errors="surrogateescape")), spelled]
    return b"(?:" + b"|".join([*ways, re.escape(f"\\{sign}".encode())] if sign in '/"\\' else ways) + b")"


def _base64(raw: bytes) -> set[bytes]:
    """Encode a secret, and its whole groups alone: more text may follow in the same encoding."""
    stem = raw[: len(raw) // 3 * 3]
    return {encode(part) for encode in (b64encode, urlsafe_b64encode) for part in (raw, stem)}


def _parts(form: bytes) -> Iterator[bytes]:
    for first in range(0, len(form), _LONGEST):
        yield form[first : first + _LONGEST]
