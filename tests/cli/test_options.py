"""Values of options, and what is said where they can't be meant."""

from __future__ import annotations

import time

import click
import pytest

from loopwright.cli.options import moment

DAY = 86400.0


@pytest.mark.parametrize(("text", "days"), [("30d", 30), ("12h", 0.5), ("1w", 7), ("2w3d", 17), ("1h30m", 0.0625)])
def test_so_long_ago(text: str, days: float) -> None:
    """A time with its unit is so long ago."""
    assert moment(text) == pytest.approx(time.time() - days * DAY, abs=5)


def test_a_date_is_the_beginning_of_that_day() -> None:
    """It is meant in UTC, as all days of a report are."""
    assert moment("2026-01-02") == 1_767_312_000.0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("30", "`30` has no unit; write 30d"),
        ("1.5", "`1.5` has no unit"),
        ("soon", "`soon` is not a duration; 30d, 12h, 1w or a date"),
        ("", "is not a duration"),
        ("0w", "is not a duration"),
        ("99999999w", "is not a duration"),
        ("0s", "more than 0"),
        ("2026-02-30", "there is no day `2026-02-30`"),
        ("2999-01-01", "is still to come"),
    ],
)
def test_what_is_no_time_is_refused(text: str, words: str) -> None:
    """A number without a unit, a word, nothing, a day that is none: each with what would be right."""
    with pytest.raises(click.BadParameter) as refused:
        moment(text)
    assert words in refused.value.message
