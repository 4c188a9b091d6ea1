"""Tokens are counted once for each message, by the largest value that was seen for it."""

from __future__ import annotations

from loopwright.ingest.spending import FOR_AN_HOUR, Spending


def test_only_what_is_more_is_told() -> None:
    """A value that is repeated or smaller adds nothing; a larger one adds the difference."""
    spending = Spending()
    told = [spending.saw("m1", "model", counts, "now") for counts in ((1, 2, 3, 4), (1, 2, 3, 4), (0, 9, 1, 0))]
    assert [[event.data["output"] for event in events] for events in told] == [[2], [], [7]]
    assert told[2][0].data["input"] == 0
    assert spending.saw("m2", "model", (0, 0, 0, 0), "now") == ()


def test_what_is_kept_for_an_hour_is_told_apart() -> None:
    """It is among what was written to a cache, and is told only where there is any."""
    spending = Spending()
    told = [
        spending.saw("m1", "model", counts, "now") for counts in ((1, 2, 3, 4, 0), (1, 2, 3, 9, 5), (1, 2, 3, 9, 5))
    ]
    found = [(event.data["cache_write"], event.data.get(FOR_AN_HOUR)) for events in told for event in events]
    assert found == [(4, None), (5, 5)]


def test_messages_are_apart() -> None:
    """The same value of another message counts."""
    spending = Spending()
    assert sum(len(spending.saw(name, "model", (1, 1, 1, 1), "now")) for name in ("a", "b", "a")) == 2
