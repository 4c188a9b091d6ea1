"""The store seen as a whole."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import date, timedelta

import pytest

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


class Weeks(Outcomes):
    """Sixteen weeks of 50 runs, the last two of which are bad, and then what is given."""

    def __init__(self, *then: Tally) -> None:
        self._then = then

    def tallies(self, by: By, since: str = "") -> Sequence[Tally]:
        weeks = [
            ((date(2026, 1, 7) + timedelta(weeks=week)).isoformat(), 45 if week < 14 else 30) for week in range(16)
        ]
        return [*(Tally("codex", day, 50, 50, good, 0, 0, 0, 0, 0, 0.0) for day, good in weeks), *self._then]


class Few(Outcomes):
    """Nine runs."""

    def tallies(self, by: By, since: str = "") -> Sequence[Tally]:
        return [Tally("codex", "2026-01-01", 9, 9, 9, 0, 0, 0, 0, 0, 0.0)]


class Hours(Outcomes):
    """More runs in some hours than in others."""

    def tallies(self, by: By, since: str = "") -> Sequence[Tally]:
        hours = [("23", 4), ("", 9), ("10", 1), ("2", 3)]
        return [Tally(hour, "2026-01-01", runs, runs, runs, 0, 0, 0, 0, 0, 0.0) for hour, runs in hours]


class Signals:
    """Counts, and what is written."""

    def __init__(self) -> None:
        self.written: list[Signal] = []
        self.called_wrong = set[str]()

    def counts(self, since: str = "") -> Mapping[str, int]:
        return {"error_loop": 400, "delight": 600, "metric_worse": 900}

    def wrong(self, type_name: str) -> Collection[str]:
        return self.called_wrong

    def add(self, found: Sequence[Signal]) -> None:
        self.written += found


def test_what_got_worse_is_told_and_written() -> None:
    """A fall is in the view and becomes a signal of the group's newest run."""
    signals = Signals()
    view = Overview(Outcomes(), signals).view("agent", "day")
    assert len(view.trends) == 1 and "pass rate of agent codex fell" in view.trends[0]
    assert [(one.run_id, one.events, one.source) for one in signals.written] == [("newest of codex", (4,), "trend")]
    assert view.alerts == ()


@pytest.mark.parametrize(
    "then",
    [
        (),
        (Tally("codex", "2026-04-27", 1, 1, 1, 0, 0, 0, 0, 0, 0.0),),
        (Tally("codex", "2026-04-27", 1, 0, 0, 0, 0, 0, 0, 0, 0.0),),
        (Tally("codex", "2999-01-01", 1, 1, 1, 0, 0, 0, 0, 0, 0.0),),
        (Tally("codex", "2026-04-27", 60, 60, 60, 0, 0, 0, 0, 0, 0.0),),
    ],
)
def test_a_week_that_is_not_over_silences_nothing(then: tuple[Tally, ...]) -> None:
    """A fall is told on the Monday after, whatever there is of the new week, and what is dated in the future."""
    signals = Signals()
    view = Overview(Weeks(*then), signals, now=lambda: "2026-04-27T09:00:00.000Z").view("agent")
    assert view.trends == [
        "the pass rate of agent codex fell: 60% of 100 since 2026-04-13, 90% of 700 before",
    ]
    assert [one.at for one in signals.written] == ["2026-04-22"]


def test_what_was_called_wrong_is_told_no_more() -> None:
    """A fall whose signal a human called wrong is not listed again."""
    signals = Signals()
    Overview(Outcomes(), signals).view("agent", "day")
    signals.called_wrong = {one.id for one in signals.written}
    assert Overview(Outcomes(), signals).view("agent", "day").trends == []


def test_too_little_history_is_said() -> None:
    """Where there are too few runs for a trend, or for a limit that is set, that is told instead of silence."""
    trend = "too few runs to tell what got worse"
    assert Overview(Outcomes(), Signals()).view("agent", "day").notes == []
    assert [note[: len(trend)] for note in Overview(Outcomes(), Signals()).view("agent", "week").notes] == []
    few = Overview(Outcomes(), Signals(), 50.0).view("agent", "day", since="2026-01-13").notes
    assert [note[: len(trend)] for note in few] == [trend]
    assert Overview(Few(), Signals(), 50.0).view("agent").notes[0].endswith("over the limit: 9 of 10")
    assert len(Overview(Few(), Signals()).view("agent").notes) == 1
    assert Overview(Few(), Signals()).view("hour").notes == []


def test_hours_are_in_order() -> None:
    """The hours of a day come one after the other, whatever their counts, and the unknown one last."""
    assert [group.name for group in Overview(Hours(), Signals()).view("hour").groups] == ["2", "10", "23", ""]


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
