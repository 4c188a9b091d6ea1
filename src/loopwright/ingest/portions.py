"""Sessions that have events in common -> what each comes to, apart for each set of them that has the same events."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

from loopwright.ingest.gathering import Gathering
from loopwright.ingest.spending import FOR_AN_HOUR, used
from loopwright.records.event import Event, EventKind
from loopwright.records.summary import Portion, ToolUse

_AMOUNTS = ("input", "output", "cache_read", "cache_write", FOR_AN_HOUR, "cost_usd")
_NEEDED = frozenset({"message", "model", *_AMOUNTS[:4]})
_LARGEST = 10**15
_MOST = 500_000
"""So many different events are compared: that takes 120 MB."""

Having = int
"""A set of sessions, a bit each."""
Placed = tuple[Having, Event]


class Family:
    """Sessions that have something in common."""

    def __init__(self, runs: Sequence[str], events: Callable[[str], Iterator[Event]]) -> None:
        self._runs, self._read = runs, events
        self._having: dict[int, Having] = defaultdict(int)
        """Hashes of the names of events -> who has them."""
        self._spent: dict[int, dict[Having, list[float]]] = defaultdict(dict)
        """Hashes of messages -> what they used, as each session says."""

    def portions(self) -> dict[str, Sequence[Portion]]:
        """Give what each session comes to; nothing where it shares no event after all."""
        for place, run_id in enumerate(self._runs):
            self._note(1 << place, self._events(run_id))
        return {run_id: self._portions_of(1 << place, run_id) for place, run_id in enumerate(self._runs)}

    def _events(self, run_id: str) -> Iterator[Event]:
        return filter(_is_sound, self._read(run_id))

    def _note(self, who: Having, events: Iterator[Event]) -> None:
        for event in events:
            key = hash(event.name)
            if key not in self._having and len(self._having) >= _MOST:
                continue
            self._having[key] |= who
            if event.kind is EventKind.USAGE:
                sums = self._spent[key].setdefault(who, [0.0] * len(_AMOUNTS))
                for place, name in enumerate(_AMOUNTS):
                    sums[place] += event.data.get(name, 0)

    def _portions_of(self, who: Having, run_id: str) -> Sequence[Portion]:
        sums: dict[Having, _Sum] = defaultdict(_Sum)
        for having, some in groupby(self._placed(who, run_id), key=itemgetter(0)):
            sums[having].add([event for _, event in some])
        if list(sums) == [who]:
            return ()
        return [one.portion(self._names(having)) for having, one in sums.items()]

    def _placed(self, who: Having, run_id: str) -> Iterator[Placed]:
        """Give each event with who has it."""
        split: set[int] = set()
        for event in self._events(run_id):
            key = hash(event.name)
            having = self._having.get(key, who)
            said = self._spent.get(key, {})
            if all(amounts == said[who] for amounts in said.values()):
                yield having, event
            elif key not in split:
                split.add(key)
                yield from _levels(said, who, event)

    def _names(self, having: Having) -> list[str]:
        return [run_id for place, run_id in enumerate(self._runs) if having >> place & 1]


def _is_sound(event: Event) -> bool:
    """Say whether an event can be counted: one that was imported may say anything of tokens."""
    if event.kind is not EventKind.USAGE:
        return True
    told = event.data
    amounts = [told.get(name, 0) for name in _AMOUNTS]
    numbers = all(isinstance(amount, int | float) and 0 <= amount <= _LARGEST for amount in amounts)
    return numbers and told.keys() >= _NEEDED and isinstance(told["model"], str) and isinstance(told["message"], str)


def _levels(said: dict[Having, list[float]], who: Having, event: Event) -> Iterator[Placed]:
    """Split what a message used into what all say and what only some say on top of it: so the largest counts."""
    levels: dict[Having, list[float]] = defaultdict(lambda: [0.0] * len(_AMOUNTS))
    for place, mine in enumerate(said[who]):
        below = 0.0
        for amount in sorted({amounts[place] for amounts in said.values() if 0 < amounts[place] <= mine}):
            having = sum(other for other, amounts in said.items() if amounts[place] >= amount)
            levels[having][place] += amount - below
            below = amount
    for having, (*counts, cost) in levels.items():
        told = used(event.data["model"], [int(count) for count in counts], event.at, event.data["message"])
        yield having, Event(told.kind, data={**told.data, **({"cost_usd": cost} if cost else {})}, at=event.at)


class _Sum:
    """Sums up the events of one portion."""

    def __init__(self) -> None:
        self._gathering = Gathering()
        self._tools: dict[str, list[Any]] = defaultdict(lambda: [0, 0, 0, 0.0])

    def add(self, events: Sequence[Event]) -> None:
        self._gathering.add(events)
        for event in events:
            if event.kind is EventKind.TOOL_CALL:
                self._tools[event.tool or ""][0] += 1
            elif event.kind is EventKind.TOOL_RESULT:
                tool = self._tools[event.tool or ""]
                tool[1] += event.is_error
                if event.duration_s is not None and math.isfinite(event.duration_s):
                    tool[2] += 1
                    tool[3] += event.duration_s

    def portion(self, runs: Sequence[str]) -> Portion:
        told = self._gathering
        return Portion(
            runs,
            started_at=told.started_at,
            ended_at=told.ended_at,
            active_s=round(told.active_s, 3),
            prompts=told.counts[EventKind.PROMPT],
            interrupts=told.counts[EventKind.INTERRUPT],
            rejections=told.counts[EventKind.REJECTION],
            raw_lines=told.counts[EventKind.RAW],
            reread=told.reread(),
            usage=told.usage(),
            tools=[ToolUse(tool, *counts) for tool, counts in self._tools.items()],
        )
