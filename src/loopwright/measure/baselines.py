"""Runs of the past -> what is usual for the like of a run: medians, from all that are there but itself."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from operator import attrgetter

from loopwright.records.baseline import Baseline, Totals, Usual
from loopwright.records.outcome import Past
from loopwright.statistics.robust import Others

_NUMBERS = ("seconds", "tokens", "cost_usd", "iterations")
_Like = tuple[str, bool]
"""The task type, and whether it was run here: a session's time and a run's are not measured alike."""


class Baselines:
    """What is usual, by the like of a run. Numbers that are 0 were not measured."""

    def __init__(self, history: Iterable[Past]) -> None:
        self._history: dict[_Like, list[Past]] = defaultdict(list)
        for past in history:
            self._history[past.task_type, not past.source].append(past)
        self._ordered: dict[tuple[_Like, str], Others] = {}

    def of(self, totals: Totals) -> Baseline:
        """Say what is usual for the like of a run."""
        like = totals.task_type, not totals.source
        return Baseline(**{name: self._usual(like, name, float(getattr(totals, name))) for name in _NUMBERS})

    def _usual(self, like: _Like, name: str, own: float) -> Usual:
        if (like, name) not in self._ordered:
            self._ordered[like, name] = Others(map(attrgetter(name), self._history.get(like, ())))
        return Usual(*self._ordered[like, name].without(own))
