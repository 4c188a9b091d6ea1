"""A request to export traces in protobuf -> how much there is in it, without making anything of it.

Two bytes are enough for a span, which takes a kilobyte when it is read.
"""

from __future__ import annotations

_WITHIN: dict[str, dict[int, str]] = {
    "request": {1: "group"},
    "group": {1: "resource", 2: "scope_spans"},
    "resource": {1: "pair"},
    "scope_spans": {1: "scope", 2: "span"},
    "scope": {3: "pair"},
    "span": {9: "pair", 11: "event", 13: "link", 15: "status"},
    "event": {3: "pair"},
    "link": {4: "pair"},
    "pair": {2: "value"},
    "value": {5: "list", 6: "pairs"},
    "list": {1: "value"},
    "pairs": {1: "pair"},
    "status": {},
}
"""The messages of OTLP, and which of their fields are messages as well."""
_MESSAGE = 2
"""So many fields a message counts for by itself, and a span for more."""
_SPAN = 25
_LONG = 2
_LENGTHS = {1: 8, 5: 4}
"""How many bytes a field has, by how it is written."""


def has_more_fields(body: bytes, most: int) -> bool:
    """Say whether there are more fields than so many; ValueError where a field is not whole.

    A parser makes all that comes before the broken field, so what can't be walked to its end is not handed to one.
    """
    found, waiting = 0, [("request", 0, len(body))]
    while waiting and found <= most:
        kind, place, end = waiting.pop()
        found += _SPAN if kind == "span" else _MESSAGE
        while place < end and found <= most:
            found += 1
            try:
                inner, first, place = _field(body, place, kind)
            except IndexError:
                raise ValueError("no protobuf: a number is cut") from None
            if place > end:
                raise ValueError("no protobuf: a field is longer than its message")
            if inner:
                waiting.append((inner, first, place))
    return found > most


def _field(body: bytes, place: int, kind: str) -> tuple[str, int, int]:
    """Give which message a field is, if any, where it begins and where it ends."""
    tag, place = _number(body, place)
    if tag & 7 == _LONG:
        length, place = _number(body, place)
        return _WITHIN[kind].get(tag >> 3, ""), place, place + length
    if tag & 7 == 0:
        return "", place, _number(body, place)[1]
    if tag & 7 not in _LENGTHS:
        raise ValueError(f"no protobuf: `{tag & 7}` is no way to write a field")
    return "", place, place + _LENGTHS[tag & 7]


def _number(body: bytes, place: int) -> tuple[int, int]:
    """Read a number of any length, and where it ends."""
    byte = body[place]
    if byte < 0x80:
        return byte, place + 1
    value, shift = byte & 0x7F, 7
    while True:
        place += 1
        byte = body[place]
        value |= (byte & 0x7F) << shift
        if byte < 0x80 or shift > 63:
            return value, place + 1
        shift += 7
