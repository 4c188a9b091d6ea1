"""A span of a trace as the store keeps it: what decides to which session it belongs, and all else as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple


@dataclass(frozen=True)
class StoredSpan:
    """A span that came with a post."""

    trace_id: str
    span_id: str
    parent_id: str
    conversation: str
    kind: str
    began: float
    ended: float
    post: str
    data: Mapping[str, Any]


class Placed(NamedTuple):
    """Where a span belongs, and why."""

    trace_id: str
    span_id: str
    parent_id: str
    conversation: str
    kind: str
    began: float
    session_id: str
    """Empty where it is in no session, or not yet."""
    post: str
