"""Bytes -> where a secret of a well-known format stands in them.

Every expression is anchored, has an upper bound and stays on one line (apart from PEM), so a bounded part of the input
decides. Nearly all keys are long words, and looking for long words first costs a tenth of looking for every prefix.
"""

from __future__ import annotations

import re

from loopwright.guard.assigned import assigned
from loopwright.guard.named import named

LOOK_AHEAD = 5000
"""How many bytes after its beginning decide, at most, whether something on one line is a secret."""

LOOK_BEHIND = 512
"""How many bytes before a secret belong to its format, at most: the name in an assignment, the user in a URL."""

PEM_LIMIT = 16_384

Found = tuple[int, int, str]
"""Where a secret begins, where it ends, and its kind."""

_WORD = rb"[A-Za-z0-9_-]"
_END = rb"(?![A-Za-z0-9_-])"
_QUOTE = rb"""(?:\\{0,7}["'])?"""
_IS = _QUOTE + rb"[ \t]{0,3}[:=][ \t]{0,3}" + _QUOTE
_NOT_ONLY_LOWER = rb"(?=[a-z-]{0,60}[0-9A-Z_])"

_KEYS: dict[str, bytes] = {
    "anthropic_key": rb"sk-ant-" + _NOT_ONLY_LOWER + _WORD + rb"{20,4000}",
    "openai_key": rb"sk-(?:(?:proj|svcacct|admin)-(?=[a-z-]{0,60}[0-9A-Z_])[A-Za-z0-9_-]{20,400}"
    rb"|or-v1-[0-9a-f]{64}|(?=[a-z]{0,60}[0-9A-Z])[A-Za-z0-9]{20,400}" + _END + rb")",
    "github_token": rb"gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{40,255}",
    "gitlab_token": rb"glpat-" + _NOT_ONLY_LOWER + _WORD + rb"{20,300}(?:\.[0-9a-z]{2}\.[0-9a-z]{7,20})?",
    "aws_key_id": rb"A[KS]IA[A-Z2-7]{16}" + _END,
    "aws_secret_key": rb"(?i:aws_secret_access_key)" + _IS + rb"(?P<value>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])",
    "google_key": rb"AIza" + _WORD + rb"{35}" + _END,
    "google_client_secret": rb"GOCSPX-[A-Za-z0-9_-]{20,60}" + _END,
    "google_oauth_token": rb"(?:(?<=ya29\.)|(?<=ya29\.[a-z]\.))[A-Za-z0-9_-]{20,2000}",
    "slack_token": rb"xox[abeoprs]-(?=[A-Za-z-]{0,20}\d)[A-Za-z0-9-]{15,300}"
    rb"|xapp-\d-[A-Z0-9]{8,20}-\d{8,20}-[a-z0-9]{32,128}",
    "stripe_key": rb"[rs]k_(?:live|test)_[A-Za-z0-9]{16,250}",
    "npm_token": rb"npm_[A-Za-z0-9]{36}" + _END,
    "pypi_token": rb"pypi-AgE[A-Za-z0-9_-]{50,1000}",
    "huggingface_token": rb"hf_(?=[a-z]{0,60}[0-9A-Z])[A-Za-z0-9]{30,60}" + _END,
    "sendgrid_key": rb"(?<=SG\.)[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}" + _END,
    "twilio_key": rb"SK[0-9a-f]{32}" + _END,
    "telegram_token": rb"(?<=\d{8}:)AA[A-Za-z0-9_-]{33}" + _END,
    "discord_token": rb"[MNO][A-Za-z0-9]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}" + _END,
    "digitalocean_token": rb"do[opr]_v1_[0-9a-f]{64}" + _END,
    "databricks_token": rb"dapi[0-9a-f]{32}(?:-\d)?" + _END,
    "jwt": rb"eyJ[A-Za-z0-9_-]{17,600}+\.eyJ[A-Za-z0-9_-]{8,2800}+(?:\.[A-Za-z0-9_-]{0,600})?",
}
"""What begins at the beginning of a word of 20 characters or more; a part that is called `value` is masked alone."""

_GLUED = rb"(?:(?<=\\)(?:u[0-9A-Fa-f]{4}|[a-z])|(?<=%)[0-9A-Fa-f]{2}|(?<=[\[;])\d{0,3}m)?"
"""What is no part of a word and still looks so: the rest of an escape of JSON, of a URL or of a colour."""

_MAY_BE = rb"(?:(?=sk|g[hil]|GO|xo|xa|rk|np|py|hf|ey|do|da|aw|A[AIKSW]|SK|[MNO])|(?<=[\\%\[;.]))"
"""What all of these begin with, or come after: most words are done with here."""

_KEY = re.compile(
    _MAY_BE + _GLUED + rb"(?:" + b"|".join(b"(?P<%s>%s)" % (n.encode(), e) for n, e in _KEYS.items()) + rb")"
)
_LONG_WORD = b"x" * 20 + b" "  # with its end, not its beginning: Python then goes over it in strides of 20
_LETTERS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"
_SHAPE = bytes(ord("x" if byte in _LETTERS else " ") for byte in range(256))

_AUTHORIZATION = re.compile(
    rb"(?i:uthorization)" + _IS + rb"(?i:bearer|basic|token)[ \t]{1,3}"
    rb"(?P<value>(?=[a-z._~+/-]{0,4000}+[0-9A-Z=])[A-Za-z0-9._~+/=-]{8,4000})"
)
_URL_PASSWORD = re.compile(  # up to the last `@` before the path; a port and a path are none
    rb"""://(?:[^\s:/@"'\\<>]{0,200}+:(?![$<{*]|\d{1,5}/)"""
    rb"""|(?=[A-Za-z0-9_-]{20,255}@)(?![A-Za-z0-9_-]{0,255}?[a-z]{7})(?=[A-Za-z_-]{0,80}+\d[A-Za-z_-]{0,80}+\d))"""
    rb"""(?P<value>(?:[^\s/"'\\<>]|/(?!/)){1,300}?)@(?![^\s/?#@"'\\<>]{0,200}+@)"""
)

_CURL_USER = re.compile(
    rb"""curl [^\r\n;|]{0,300}?(?:-u|--user)[ =]?\\{0,7}["']?[^\s:"'\\$<{/]{1,60}:"""
    rb"""(?P<value>(?![$<{*]|\d{1,5}\b)(?=[^\s"'\\]{0,60}[0-9!@#%^&*+])[^\s"'\\]{6,100})"""
)
_COOKIE = re.compile(
    rb"ookie" + _IS + rb"""(?P<value>(?=[^\r\n"'\\]{0,300}?=(?=[A-Za-z_.%+/-]{0,60}+[0-9])[A-Za-z0-9%_.+/=-]{16})"""
    rb"""[^\r\n"'\\]{16,4000})"""
)

_URL_LENGTH = 520
"""In so many bytes the password of a URL has ended."""

_NAMED: dict[bytes, tuple[str, re.Pattern[bytes]]] = {
    b"uthorization": ("authorization", _AUTHORIZATION),
    b"UTHORIZATION": ("authorization", _AUTHORIZATION),
    b"hooks.slack.com/": ("slack_hook", re.compile(rb"hooks\.slack\.com/[a-z]{4,20}/(?P<value>[A-Za-z0-9_/]{20,200})")),
    b"ecretAccessKey": (
        "aws_secret_key",
        re.compile(rb"ecretAccessKey" + _IS + rb"(?P<value>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])"),
    ),
    b"curl ": ("curl_password", _CURL_USER),
    b"ookie": ("cookie", _COOKIE),
    b"AccountKey=": ("azure_key", re.compile(rb"AccountKey=(?P<value>[A-Za-z0-9+/]{86}==)")),
    b"://": ("url_password", _URL_PASSWORD),
}
"""What is told by the literal before it."""

_BEGIN = rb"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
_BODY = rb"""(?:[^"-]|-(?!----))"""
_BASE64_LINE = rb"""(?:\\+[nrt]|[^A-Za-z0-9+/="\\-]|\d{1,6}(?![A-Za-z0-9+/=])){1,24}+[A-Za-z0-9+/=]{16,}+"""
_PEM = re.compile(_BEGIN + rb"(?:" + _BODY + rb"{16,}+-----END [A-Z0-9 ]{0,40}-----|(?:" + _BASE64_LINE + rb")++)")
_OPEN_PEM = re.compile(_BEGIN + _BODY + rb"*+(?:-----[A-Z0-9 ]{0,60}-{0,4})?")


def find_secrets(raw: bytes, begin: int, stop: int) -> list[Found]:
    """Give what begins between two places; `raw` has what is looked at before and after."""
    first = max(1, begin - LOOK_BEHIND)
    found = _keys(raw, first, stop) + _told_by_name(raw, first, stop) + _keys_in_pem(raw, first, stop)
    found += [(*span, "assigned_secret") for span in named(raw, first, stop)]
    return [one for one in found if begin <= one[0] < stop]


def open_pem(raw: bytes, begin: int, stop: int) -> int:
    """Give the place of a private key that may go on after the end of `raw`, or `stop`."""
    places = places_of(b"-----BEGIN ", raw, max(begin, len(raw) - PEM_LIMIT + 1), stop)
    return next((place for place in places if _OPEN_PEM.fullmatch(raw, place)), stop)


def places_of(literal: bytes, raw: bytes, first: int, stop: int) -> list[int]:
    """Give each place between two where a literal begins."""
    places = []
    place = raw.find(literal, first, stop + len(literal) - 1)
    while place >= 0:
        places.append(place)
        place = raw.find(literal, place + 1, stop + len(literal) - 1)
    return places


def _keys(raw: bytes, first: int, stop: int) -> list[Found]:
    found: list[Found] = []
    shape = raw[first - 1 : stop + 20].translate(_SHAPE) + b" "
    place = shape.find(_LONG_WORD, max(0, shape.find(b" ", 1) - 20))  # a word without an end is skipped at once
    while place >= 0:
        before = shape.rfind(b" ", 0, place)
        match = _KEY.match(raw, first + before) if before >= 0 else None
        if match:
            kind = match.lastgroup or ""
            found.append((*match.span("value" if match["value"] else kind), kind))
        elif before >= 0 and (end := assigned(raw, first + before)):
            found.append((first + before, end, "assigned_secret"))
        place = shape.find(_LONG_WORD, place + 20)
    return found


def _told_by_name(raw: bytes, first: int, stop: int) -> list[Found]:
    found: list[Found] = []
    for literal, (kind, expression) in _NAMED.items():
        if literal == b"://" and raw.find(b"@", first, stop + _URL_LENGTH) < 0:
            continue  # a rare byte is found ten times as fast
        for place in places_of(literal, raw, first, stop):
            if literal == b"://" and raw.find(b"@", place, place + _URL_LENGTH) < 0:
                continue
            match = expression.match(raw, place)
            if match:
                found.append((*match.span("value"), kind))
    return found


def _keys_in_pem(raw: bytes, first: int, stop: int) -> list[Found]:
    places = places_of(b"-----BEGIN ", raw, first, stop)
    matches = (_PEM.match(raw, place, place + PEM_LIMIT) for place in places)
    return [(*match.span(), "private_key") for match in matches if match]
