"""Traces in OTLP's JSON -> spans with plain attributes, as whoever sent them named things."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from loopwright.text.bounded import bounded, items, mapping
from loopwright.text.bounded import field as text_of

_HEX = re.compile(r"[0-9a-fA-F]{1,64}", re.ASCII)
_DEEPEST = 20
_MOST = 2000
"""So many attributes and values of a list are read."""
_MOST_EVENTS = 200_000
"""Of a span: our own export has all that happened in a run at the span of its attempt."""
_LONGEST_KEY = 500
_NANOSECONDS = 1e9
_LATEST = 253_402_300_799.0
"""The end of the year 9999: no date is written beyond."""


@dataclass
class Sent:
    """A span as it was sent."""

    trace: str
    id: str
    parent: str
    name: str
    began: float
    """Seconds since 1970."""
    ended: float
    attributes: dict[str, Any]
    notes: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    """Its events: their names and attributes."""
    failed: bool = False
    why: str = ""
    resource: dict[str, Any] = field(default_factory=dict)


def spans_in(document: object) -> Iterator[Sent | None]:
    """Give the spans of a request to export; None for what is no span."""
    for group in items(mapping(document).get("resourceSpans")):
        resource = attributes_of(mapping(mapping(group).get("resource")).get("attributes"))
        for scope in items(mapping(group).get("scopeSpans")):
            for span in items(mapping(scope).get("spans")):
                yield _sent(mapping(span), resource)


def _sent(span: Mapping[str, Any], resource: dict[str, Any]) -> Sent | None:
    trace, name = _id(span.get("traceId")), _id(span.get("spanId"))
    if not trace or not name:
        return None
    began, ended = _seconds(span.get("startTimeUnixNano")), _seconds(span.get("endTimeUnixNano"))
    status = mapping(span.get("status"))
    notes = [mapping(event) for event in items(span.get("events"))[:_MOST_EVENTS]]
    return Sent(
        trace,
        name,
        _id(span.get("parentSpanId")),
        text_of(span.get("name"), 500),
        began or ended,
        max(began, ended),
        attributes_of(span.get("attributes")),
        [(text_of(event.get("name"), 200), attributes_of(event.get("attributes"))) for event in notes],
        status.get("code") in (2, "2", "STATUS_CODE_ERROR"),
        text_of(status.get("message")),
        resource,
    )


def attributes_of(values: object) -> dict[str, Any]:
    """Read a list of keys and values."""
    return _pairs(values, 0)


def _pairs(values: object, depth: int) -> dict[str, Any]:
    found = {}
    for pair in items(values)[:_MOST]:
        if isinstance(pair, dict) and isinstance(key := pair.get("key"), str):
            if len(key) > _LONGEST_KEY or not key.isascii():
                key = bounded(key, _LONGEST_KEY)
            found[key] = _plain(pair.get("value"), depth)
    return found


def _plain(value: object, depth: int) -> Any:
    if not isinstance(value, dict) or not value or depth > _DEEPEST:
        return None
    kind, held = next(iter(value.items()))
    if kind == "stringValue":
        return held if isinstance(held, str) else None
    if kind == "intValue":
        return _whole(held)
    if kind == "arrayValue":
        return [_plain(one, depth + 1) for one in items(mapping(held).get("values"))[:_MOST]]
    if kind == "kvlistValue":
        return _pairs(mapping(held).get("values"), depth + 1)
    if kind in ("boolValue", "doubleValue"):
        return held if isinstance(held, bool | int | float) else None
    return bounded(held, 200) if isinstance(held, str) else None


def _whole(value: object) -> int | None:
    if isinstance(value, int):
        return value
    try:
        return int(value) if isinstance(value, str) and len(value) < 25 else None
    except ValueError:
        return None


def _id(value: object) -> str:
    """Read an id: digits of base 16, or base 64 as some write it; empty where it is none."""
    text = value if isinstance(value, str) else ""
    if len(text) in (12, 24) and text.endswith("="):
        try:
            text = base64.b64decode(text, validate=True).hex()
        except ValueError:
            return ""
    if not _HEX.fullmatch(text) or not text.strip("0"):
        return ""
    return text.lower()


def _seconds(value: object) -> float:
    whole = _whole(value)
    return min(max(whole or 0, 0) / _NANOSECONDS, _LATEST) if whole is None or whole < 10**30 else _LATEST
