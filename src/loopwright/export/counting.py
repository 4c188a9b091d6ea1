"""Events -> their rollups and their kinds of error, counted one by one: for a part of a run, which no rollup is of."""

from __future__ import annotations

from collections.abc import Sequence

from loopwright.records.bundle import ErrorGroup, Rollup
from loopwright.records.event import Event, EventKind

_OF_TOOLS = (EventKind.TOOL_CALL, EventKind.TOOL_RESULT)


def rollups(events: Sequence[Event]) -> list[Rollup]:
    """Count events by their tools."""
    tools: dict[str, dict[str, float]] = {}
    called = {event.call_id: event.tool for event in events if event.kind is EventKind.TOOL_CALL}
    for event in events:
        tool = (event.tool or called.get(event.call_id) or "") if event.kind in _OF_TOOLS else ""
        counts = tools.setdefault(
            tool, dict.fromkeys(("events", "calls", "failed", "timed", "duration_s", "errors"), 0)
        )
        is_result = event.kind is EventKind.TOOL_RESULT
        counts["events"] += 1
        counts["calls"] += event.kind is EventKind.TOOL_CALL
        counts["failed"] += is_result and event.is_error
        counts["timed"] += is_result and event.duration_s is not None
        counts["duration_s"] += (event.duration_s or 0.0) if is_result else 0.0
        counts["errors"] += event.error_kind is not None
    return [Rollup(tool, **counts) for tool, counts in sorted(tools.items())]  # type: ignore[arg-type]


def errors(events: Sequence[Event]) -> list[ErrorGroup]:
    """Put like errors together, the most frequent first."""
    groups: dict[tuple[str, str], list[Event]] = {}
    for event in events:
        if event.error_kind is not None:
            groups.setdefault((event.fingerprint or "", event.error_kind), []).append(event)
    found = [
        ErrorGroup(*key, len(like), like[0].tool or "", like[0].text[:2000], like[0].seq, like[0].at, like[-1].at)
        for key, like in groups.items()
    ]
    return sorted(found, key=lambda group: (-group.count, group.first_seq))
