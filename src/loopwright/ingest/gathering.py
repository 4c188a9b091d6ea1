"""The events of a session -> what it comes to, counted as they go by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from loopwright.ingest.spending import FOR_AN_HOUR
from loopwright.records.budget import Usage
from loopwright.records.event import Event, EventKind
from loopwright.records.session import DailyUsage
from loopwright.text.amounts import elapsed, moment
from loopwright.text.prices import dollars

PAUSE_S = 300.0
"""A longer pause counts as one of this length: somebody was away."""
_AGAIN = 3
_MOST_FILES = 20
_MOST_TOKENS = 10**15
_MOST_MODELS = 1000
_MOST_PATHS = 100_000
_READING = frozenset({"read", "read_file", "view", "open_file"})
_COUNTED = (EventKind.PROMPT, EventKind.INTERRUPT, EventKind.REJECTION, EventKind.RAW)


class Gathering:
    """Sums up one session."""

    def __init__(self) -> None:
        self.counts: Counter[EventKind] = Counter()
        self.started_at = self.ended_at = ""
        self.active_s = 0.0
        self.last_words = ""
        self._last = 0.0
        self._reads: Counter[str] = Counter()
        self._tokens: dict[tuple[str, str], list[int]] = {}
        self._for_an_hour: Counter[tuple[str, str]] = Counter()
        self._told: dict[tuple[str, str], float] = {}
        """What the agent itself says of the cost."""

    def add(self, events: Iterable[Event]) -> None:
        """Take the next events."""
        for event in events:
            if event.at and event.at != self.ended_at:
                self._pass_time(event.at)
            kind = event.kind
            if kind is EventKind.TOOL_CALL:
                if event.path and event.tool and event.tool.lower() in _READING and len(self._reads) < _MOST_PATHS:
                    self._reads[event.path] += 1
            elif kind is EventKind.USAGE:
                self._spend(event)
            elif kind is EventKind.MESSAGE:
                self.last_words = event.text or self.last_words
            elif kind in _COUNTED:
                self.counts[kind] += 1

    def usage(self) -> list[DailyUsage]:
        """Give what each model used on each day, priced."""
        days = [(*key, Usage(*tokens)) for key, tokens in sorted(self._tokens.items())]
        return [DailyUsage(day, model, tokens, self._cost(day, model, tokens)) for day, model, tokens in days]

    def reread(self) -> dict[str, int]:
        """Give the files that were read most often, of those that were read again and again."""
        return {path: often for path, often in self._reads.most_common(_MOST_FILES) if often >= _AGAIN}

    @property
    def duration_s(self) -> float:
        """Say how long it took, with all its pauses."""
        return elapsed(moment(self.started_at), moment(self.ended_at)) or 0.0

    def _cost(self, day: str, model: str, tokens: Usage) -> float | None:
        cost = dollars(model, tokens, self._for_an_hour[day, model])
        return self._told.get((day, model)) if cost is None else cost

    def _pass_time(self, at: str) -> None:
        now = moment(at) or 0.0
        if now > self._last and self._last:
            self.active_s += min(now - self._last, PAUSE_S)
        self._last = max(self._last, now)
        self.started_at = min(self.started_at or at, at)
        self.ended_at = max(self.ended_at, at)

    def _spend(self, event: Event) -> None:
        told = event.data
        key = (event.at[:10], told["model"])
        if key not in self._tokens and len(self._tokens) >= _MOST_MODELS:
            key = ("", "")  # nobody has used so many
        total = self._tokens.setdefault(key, [0, 0, 0, 0])
        if "cost_usd" in told:
            self._told[key] = self._told.get(key, 0.0) + told["cost_usd"]
        if FOR_AN_HOUR in told:
            self._for_an_hour[key] += told[FOR_AN_HOUR]
        for place, name in enumerate(("input", "output", "cache_read", "cache_write")):
            total[place] = min(total[place] + told[name], _MOST_TOKENS)
