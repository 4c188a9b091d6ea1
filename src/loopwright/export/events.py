"""Events -> HTML: one line each, to unfold."""

from __future__ import annotations

import json
from collections.abc import Sequence

from loopwright.export.markup import coloured, text
from loopwright.records.event import Event, EventKind

_AT_ONCE = 100
"""A browser lays out only the parts that are seen."""
_LONGEST = 20_000
_SUMMARY = 160


def listed(events: Sequence[Event]) -> str:
    """List all events."""
    parts = []
    for first in range(0, len(events), _AT_ONCE):
        lines = "".join(map(_event, events[first : first + _AT_ONCE]))
        parts.append(f'<div class="part">{lines}</div>\n')
    return "".join(parts)


def _event(event: Event) -> str:
    failed = " failed" if event.is_error or event.kind is EventKind.ERROR else ""
    inner = " inner" if event.parent_call_id else ""
    took = f"{event.duration_s:.1f} s" if event.duration_s is not None else ""
    summary = (
        f'<span class="when">{text(event.at[11:19])}</span><span class="kind">{event.kind.replace("_", " ")}</span>'
        f'<span class="tool">{text(event.tool or "")}</span><span class="what">{text(what(event, _SUMMARY))}</span>'
        f'<span class="took">{took}</span>'
    )
    classes = f"event kind-{event.kind}{failed}{inner}"
    return (
        f'<details class="{classes}" id="e{event.seq}"><summary>{summary}</summary>'
        f'<div class="body">{_body(event)}</div></details>\n'
    )


def what(event: Event, longest: int) -> str:
    """Say on one line what is new in an event: of a result what came out, of a call what was asked for."""
    place = event.command or event.path
    words = (event.text or place if event.kind is EventKind.TOOL_RESULT else place or event.text) or _told(event)
    return " ".join(words[: longest * 4].split())[:longest]


def _told(event: Event) -> str:
    if event.kind is EventKind.USAGE:
        names = [name for name in ("input", "output", "cache_read") if type(event.data.get(name)) is int]
        return ", ".join(f"{event.data[name]:,} {name.replace('_', ' ')}" for name in names)
    given = event.data.get("input")
    return json.dumps(given, ensure_ascii=False, default=str) if given else ""


def _body(event: Event) -> str:
    facts = {
        "event": str(event.seq),
        "at": event.at,
        "call": event.call_id,
        "within": event.parent_call_id,
        "path": event.path,
        "exit code": None if event.exit_code is None else str(event.exit_code),
        "error": event.error_kind,
        "fingerprint": event.fingerprint,
    }
    written = " · ".join(f"{name} {text(value)}" for name, value in facts.items() if value)
    command = f"<pre>$ {coloured(_cut(event.command))}</pre>" if event.command else ""
    words = f"<pre>{coloured(_cut(event.text))}</pre>" if event.text.strip() else ""
    data = json.dumps(dict(event.data), indent=1, ensure_ascii=False, default=str) if event.data else ""
    more = f"<pre>{text(_cut(data))}</pre>" if data else ""
    return f'<p class="dim">{written}</p>{command}{words}{more}'


def _cut(words: str) -> str:
    left = len(words) - _LONGEST
    return words if left <= 0 else f"{words[:_LONGEST]}\n… {left:,} more characters; the JSON export has them"
