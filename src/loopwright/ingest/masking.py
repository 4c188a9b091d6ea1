"""Events -> the same without the secrets in them, and without their text where nobody wants to keep it."""

from __future__ import annotations

import dataclasses
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any

from loopwright.guard.redact import Masker
from loopwright.ingest.reading import written
from loopwright.ingest.spending import FOR_AN_HOUR
from loopwright.records.event import Event, EventKind
from loopwright.text.commands import WITHHELD

_FIELDS = ("text", "tool", "command", "path")
_IDENTITIES = ("call_id", "parent_call_id")
_MOST_TOOLS = 1000
_STRUCTURE = frozenset(
    {"message", "model", "input", "output", "cache_read", "cache_write", FOR_AN_HOUR, "subtype", "cut_from"}
)


class Masking:
    """Masks the events of one session, and counts what it has masked."""

    def __init__(self, masker: Masker, *, content: bool = True) -> None:
        self._masker, self.content = masker, content
        self.counts: dict[str, int] = {}
        self._tools: dict[str, bool] = {}

    def masked(self, events: list[Event]) -> list[Event]:
        """Mask a batch."""
        if not self.content:
            events = [bare(event) for event in events]
        for place in self._suspects(events):
            events[place] = self._mask(events[place])
        return events

    def name(self, text: str) -> str:
        """Mask a name, which is kept also where no content is."""
        return self._masker.text(text, self.counts)

    def identity(self, text: str) -> str:
        """Mask an id, so that what belongs together still does."""
        return self._masker.identity(text)

    def text(self, text: str) -> str:
        """Mask one text, or leave it out."""
        return self._masker.text(text, self.counts) if self.content else ""

    def data(self, told: Mapping[str, Any]) -> Mapping[str, Any]:
        """Mask what was said of a session as a whole, or leave it out."""
        masked: Mapping[str, Any] = self._masker.data(told, self.counts) if self.content else {}
        return masked

    def _suspects(self, events: Sequence[Event]) -> list[int]:
        """Find the events with a secret; all are searched at once, since one by one takes three times as long."""
        parts = [_words(event, self._is_strange(event.tool)) for event in events]
        ends = list(accumulate(len(part) + 1 for part in parts))
        raw = b"\n" + b"\n".join(parts)
        found = self._masker.find(raw, 1, len(raw))
        return sorted({bisect_right(ends, start - 1) for start, _, _ in found})

    def _is_strange(self, tool: str | None) -> bool:
        """Say whether a secret is in the name of a tool; there are few of them, so each is looked at once."""
        if not tool:
            return False
        if tool not in self._tools:
            if len(self._tools) > _MOST_TOOLS:
                self._tools.clear()
            self._tools[tool] = self._masker.text(tool) != tool
        return self._tools[tool]

    def _mask(self, event: Event) -> Event:
        told = {name: self._masker.data(getattr(event, name), self.counts) for name in _FIELDS}
        told |= {name: self._identity(getattr(event, name)) for name in _IDENTITIES}
        data = self._masker.data(event.data, self.counts)
        if event.kind is EventKind.USAGE and "message" in data:
            data["message"] = self._identity(event.data["message"])
        return dataclasses.replace(event, **told, data=data)

    def _identity(self, name: str | None) -> str | None:
        return self._masker.identity(name, self.counts) if name else name


def bare(event: Event) -> Event:
    """Give an event without what anybody said: what happened, when, how long it took and how it ended."""
    data = {name: value for name, value in event.data.items() if name in _STRUCTURE and not isinstance(value, dict)}
    return dataclasses.replace(event, text="", command=event.command and WITHHELD, path=None, data=data)


def _words(event: Event, with_tool: bool) -> bytes:
    if event.kind is EventKind.USAGE:
        names = (
            f"{event.data.get('message')}\n{event.data.get('model')}\n{event.parent_call_id}"  # all else are numbers
        )
        return names.encode(errors="surrogatepass")
    text = f"{event.tool}\n{event.text}" if with_tool else event.text
    if event.call_id or event.parent_call_id:
        text = f"{event.call_id}\n{event.parent_call_id}\n{text}"
    if event.command:
        text = f"{text}\n{event.command}"
    if event.path:
        text = f"{text}\n{event.path}"
    raw = text.encode(errors="surrogatepass")
    return raw + b"\n" + written(event.data) if event.data else raw
