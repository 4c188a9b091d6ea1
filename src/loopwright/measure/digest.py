"""A session's events -> a short text for a judge: prompts, last words, errors and counts, with events' numbers."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from loopwright.measure.meter import Meter
from loopwright.records.event import Event, EventKind
from loopwright.text.excerpt import shortened

LONGEST = 24_000
"""Characters of a digest: at three a token, 8,000 tokens."""
_FIRST, _LAST = 6, 12
_MOST_ERRORS = 1000
_WORDS: Mapping[EventKind, int] = {
    EventKind.PROMPT: 600,
    EventKind.MESSAGE: 500,
    EventKind.RESULT: 500,
    EventKind.REJECTION: 300,
    EventKind.INTERRUPT: 200,
    EventKind.DENIAL: 200,
    EventKind.VERDICT: 300,
    EventKind.ERROR: 300,
    EventKind.TOOL_RESULT: 300,
}
"""What is told, and how many characters of it."""


@dataclass
class _Ends:
    """The first and the last lines of one kind; what lies between is counted."""

    first: list[tuple[int, str]] = field(default_factory=list)
    last: deque[tuple[int, str]] = field(default_factory=lambda: deque(maxlen=_LAST))

    def add(self, seq: int, line: str) -> None:
        if len(self.first) < _FIRST:
            self.first.append((seq, line))
        else:
            self.last.append((seq, line))


class Digest:
    """One session, gathered as its events go by, in memory that does not grow with it."""

    def __init__(self) -> None:
        self.meter = Meter()
        self._ends: dict[EventKind, _Ends] = {kind: _Ends() for kind in _WORDS}
        self._counts: Counter[str] = Counter()
        self._errors: set[str] = set()

    def add(self, events: Iterable[Event]) -> Digest:
        """Take the next events."""
        for event in events:
            self.meter.add(event)
            self._counts[f"{event.kind}{f' {event.tool[:40]}' if event.tool else ''}"] += 1
            if event.kind in _WORDS and (event.kind is not EventKind.TOOL_RESULT or self._is_new_error(event)):
                self._ends[event.kind].add(event.seq, _line(event))
        return self

    def lines(self) -> list[tuple[int, str]]:
        """Give what is told, in order, as much as there is room for: the ends of each kind first."""
        chosen = sorted(
            (line for ends in self._ends.values() for line in (*ends.first, *ends.last)), key=lambda line: line[0]
        )
        while sum(len(text) + 1 for _, text in chosen) > LONGEST - 2_000:
            del chosen[len(chosen) // 2]
        return chosen

    def counts(self) -> str:
        """Give how often what happened."""
        return ", ".join(f"{name} {count}" for name, count in self._counts.most_common(30))

    def _is_new_error(self, event: Event) -> bool:
        """Tell of like errors once: how often is in the counts."""
        if not event.is_error:
            return False
        mark = event.fingerprint or event.text[:80]
        is_new = mark not in self._errors
        if is_new and len(self._errors) < _MOST_ERRORS:
            self._errors.add(mark)
        return is_new


def _line(event: Event) -> str:
    what = " ".join(filter(None, (event.tool, event.command or event.path)))[:200]
    text = " ".join(shortened(event.text, _WORDS[event.kind]).split())
    return f"[{event.seq}] {event.kind}{' error' if event.is_error else ''}: {f'{what}: ' if what else ''}{text}"
