"""The store seen as a whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from loopwright.measure.overview import Overview
from loopwright.records.outcome import By, Sample, Tally
from loopwright.records.signal import Signal


class Outcomes:
    """Thirteen days of one group, whose pass rate falls on the twelfth."""

    def tallies(self, by: By, since: str = "") -> Sequence[Tally]:
        days = [(f"2026-01-{day:02d}", 45 if day < 12 else 20) for day in range(1, 14)]
        found = [Tally("codex", day, 50, 50, good, 0, 0, 0, 0, 0, 0.0) for day, good in days]
        return [tally for tally in found if tally.day >= since]

    def samples(self, by: By, tallies: Sequence[Tally], since: str = "") -> Sequence[Sample]:
        return []

    def newest(self, by: By, group: str, until: str) -> tuple[str, str, int] | None:
        return f"newest of {group}", until, 4


class Signals:
    """Counts, and what is written."""

    def __init__(self) -> None:
        self.written: list[Signal] = []

    def counts(self, since: str = "") -> Mapping[str, int]:
        return {"error_loop": 400, "delight": 600, "metric_worse": 900}

    def add(self, found: Sequence[Signal]) -> None:
        self.written += found


def test_what_got_worse_is_told_and_written() -> None:
    """A fall is in the view and becomes a signal of the group's newest run."""
    signals = Signals()
    view = Overview(Outcomes(), signals).view("agent", "day")
    assert len(view.trends) == 1 and "pass rate of agent codex fell" in view.trends[0]
    assert [(one.run_id, one.events, one.source) for one in signals.written] == [("newest of codex", (4,), "trend")]
    assert view.alerts == ()


def test_hours_have_no_trend() -> None:
    """The hours of a day are no groups that get better or worse."""
    signals = Signals()
    assert Overview(Outcomes(), signals).view("hour", "day").trends == []
    assert signals.written == []


def test_alerts_are_of_friction() -> None:
    """Good news raises no alert, and neither do trends, which speak for themselves."""
    found = Overview(Outcomes(), Signals(), 50.0, frozenset({"delight"})).view("agent").alerts
    assert [words.split(":")[0] for words in found] == ["error_loop"]


def test_nothing_is_there() -> None:
    """Without runs there is no whole, and no trend."""
    view = Overview(Outcomes(), Signals(), 1.0).view("agent", since="2027")
    assert (view.whole, list(view.groups), list(view.trends), list(view.alerts)) == (None, [], [], [])
