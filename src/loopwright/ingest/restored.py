"""What our own exports say of an event -> the event that it was. It is a stranger's word all the same."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from loopwright.ingest.plain import unwrapped
from loopwright.ingest.reading import moment_of
from loopwright.records.event import ErrorKind, Event, EventKind
from loopwright.text.amounts import exit_code
from loopwright.text.bounded import TEXT_LIMIT, bounded, data, field, mapping
from loopwright.text.fingerprint import fingerprint

PREFIX = "loopwright."
_COUNTED = (EventKind.TOOL_CALL, EventKind.TOOL_RESULT, EventKind.USAGE)
"""Told elsewhere in an export, where other readers look for them as well."""
_KINDS = {kind.value: kind for kind in EventKind if kind not in _COUNTED}
_ERRORS: dict[object, ErrorKind] = {"PARSED_ERROR": "PARSED_ERROR", "EXIT_ERROR": "EXIT_ERROR"}
_LONGEST_S = 1e9


def is_restorable(told: Mapping[str, Any]) -> bool:
    """Say whether it tells of an event of a kind that is told nowhere else."""
    return isinstance(told.get("kind"), str) and told["kind"] in _KINDS


def noted(notes: Sequence[tuple[str, Mapping[str, Any]]]) -> list[dict[str, Any]]:
    """Give what the events of a span say, of those that our export wrote."""
    found = []
    for name, attributes in notes:
        if name.startswith(PREFIX) and (kind := name.removeprefix(PREFIX)) in _KINDS:
            told = {key.removeprefix(PREFIX): value for key, value in attributes.items() if key.startswith(PREFIX)}
            found.append({**told, "kind": kind, "text": field(told.get("text"), TEXT_LIMIT)})
    return found


def restored(told: Mapping[str, Any], words: str, at: str, parent: str | None) -> Event:
    """Make an event again; where it does not say when it was, or within which call, it is as given."""
    error_kind = _ERRORS.get(told["error_kind"]) if isinstance(told.get("error_kind"), str) else None
    text = bounded(words, TEXT_LIMIT)
    return Event(
        _KINDS[told["kind"]],
        text,
        tool=field(told.get("tool"), 200) or None,
        call_id=field(told.get("call_id"), 200) or None,
        parent_call_id=field(told.get("parent_call_id"), 200) or parent,
        command=field(told.get("command")) or None,
        exit_code=exit_code(told.get("exit_code")),
        path=field(told.get("path")) or None,
        is_error=told.get("is_error") is True,
        error_kind=error_kind,
        fingerprint=fingerprint(text) if error_kind else None,
        duration_s=duration_of(told.get("duration_s")),
        data=data(dict(mapping(unwrapped(told.get("data"))))),
        at=moment_of(told.get("at")) or at,
    )


def duration_of(value: object) -> float | None:
    """Read how long something took; None where that can't be."""
    if not isinstance(value, int | float) or isinstance(value, bool) or not math.isfinite(value):
        return None
    return float(value) if 0 <= value < _LONGEST_S else None
