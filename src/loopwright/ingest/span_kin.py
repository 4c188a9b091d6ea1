"""Spans, and the spans that they are within -> whose subagent did what. Cycles and missing parents do no harm."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from loopwright.ingest.span import Span
from loopwright.text.bounded import forget_oldest

Key = tuple[str, str]

_FARTHEST = 500
_MOST = 300_000
"""So many spans are remembered."""


@dataclass(frozen=True)
class _Place:
    parent: Key
    kind: str
    call_id: str
    counts: bool
    talks: bool


class Kin:
    """What is known of the spans that were seen, as far as it matters for those within them."""

    def __init__(self) -> None:
        self._places: dict[Key, _Place] = {}
        self._covered: set[Key] = set()

    def add(self, spans: Iterable[Span]) -> None:
        """Take more spans."""
        for span in spans:
            call = span.call_id or span.id
            talks, counts = bool(span.heard or span.said), any(span.counts)
            self._places[span.key] = _Place((span.trace, span.parent), span.kind, call, counts, talks)
            forget_oldest(self._places, _MOST)

    def rename(self, span: Span, call_id: str) -> None:
        """Say by which call a tool's span is known."""
        self._places[span.key] = replace(self._places[span.key], call_id=call_id)

    def above(self, span: Span) -> Iterator[tuple[Key, _Place]]:
        """Give the spans that one is within, the nearest first."""
        key, seen = (span.trace, span.parent), {span.key}
        while (place := self._places.get(key)) and key not in seen and len(seen) < _FARTHEST:
            yield key, place
            seen.add(key)
            key = place.parent

    def depth(self, span: Span) -> int:
        """Say within how many others a span is."""
        return sum(1 for _ in self.above(span))

    def parent_call(self, span: Span) -> str | None:
        """Name the call within which something happened: a tool's, or that of an agent whom another one has asked."""
        inner: Key | None = None
        for key, place in self.above(span):
            if place.kind == "tool":
                return place.call_id
            if place.kind == "agent":
                if inner is not None:
                    return inner[1]
                inner = key
        return None

    def whose(self, span: Span) -> Key | None:
        """Name the nearest agent or tool that a span is within."""
        return next((key for key, place in self.above(span) if place.kind in ("agent", "tool")), None)

    def is_told(self, span: Span) -> tuple[bool, bool]:
        """Say whether the call of a model that a span is within tells already of its tokens, and of its words."""
        counts = talks = False
        for _, place in self.above(span):
            if place.kind in ("tool", "agent"):
                break
            if place.kind == "chat":
                counts, talks = counts or place.counts, talks or place.talks
        return counts, talks

    def cover(self, span: Span) -> None:
        """Note that what an agent says of its own tokens and words is told by a span within it."""
        self._covered.update(key for key, place in self.above(span) if place.kind == "agent")

    def is_covered(self, span: Span) -> bool:
        """Say whether a span within an agent's tells of its tokens and words."""
        return span.key in self._covered
