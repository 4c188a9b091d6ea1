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
_LENGTHS = {1: 8, 5: 4}
"""How many bytes a field has, by how it is written."""


def has_more_fields(body: bytes, most: int) -> bool:
    """Say whether there are more fields than so many; what is no protobuf is left to who reads it."""
    found, waiting = 0, [("request", 0, len(body))]
    try:
        while waiting and found <= most:
            kind, place, end = waiting.pop()
            found += _SPAN if kind == "span" else _MESSAGE
            while place < end and found <= most:
                found += 1
                tag, place = _number(body, place)
                if tag & 7 == 2:
                    length, place = _number(body, place)
                    if inner := _WITHIN[kind].get(tag >> 3):
                        waiting.append((inner, place, min(place + length, end)))
                    place += length
                else:
                    place = _number(body, place)[1] if tag & 7 == 0 else place + _LENGTHS.get(tag & 7, 0)
    except IndexError:
        return False
    return found > most


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
