from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from loopwright.ingest.calendar import Period, periods
from loopwright.ingest.report import Part
from loopwright.records.budget import Usage


def day(name: str, cost: float = 1.0) -> Part:
    return Part(name, 1, Usage(10), cost, 0)


def test_days_without_anything_are_there() -> None:
    """Between the first day and the last there is no gap."""
    assert periods([day("2026-03-01"), day("2026-02-27", 2.0)], 90) == [
        Period("2026-02-27", "2026-02-27", 2.0, 10),
        Period("2026-02-28", "2026-02-28"),
        Period("2026-03-01", "2026-03-01", 1.0, 10),
    ]


def test_many_days_become_periods() -> None:
    """With more days than there is room for, a few of them are one period; the last is cut where the days end."""
    found = periods([day(f"2026-01-{number:02}") for number in range(1, 12)], 4)
    assert [(period.first[-2:], period.last[-2:], period.cost_usd, period.days) for period in found] == [
        ("01", "03", 3.0, 3),
        ("04", "06", 3.0, 3),
        ("07", "09", 3.0, 3),
        ("10", "11", 2.0, 2),
    ]


def test_what_is_no_day_is_left_out() -> None:
    """Usage without a date, or with one that is none, is in no chart."""
    assert periods([day(""), day("2026-99-99"), day("yesterday")], 10) == []
    assert len(periods([day("0001-01-01"), day("9999-12-31")], 50)) <= 50


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(some.lists(some.dates(), unique=True, max_size=20), some.integers(1, 60))
def test_all_money_is_in_a_period(dates: list[object], most: int) -> None:
    """No day is lost or counted twice, and there are never more periods than asked for."""
    found = periods([day(str(date)) for date in dates], most)
    assert sum(period.cost_usd for period in found) == len(dates)
    assert len(found) <= most
