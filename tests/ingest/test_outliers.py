from __future__ import annotations

import random

from loopwright.ingest.outliers import FEWEST, medians, outliers
from loopwright.records.summary import Summary, ToolUse


def session(number: int, cost: float = 1.0, active: float = 300.0, errors: int = 0) -> Summary:
    tools = [ToolUse("Bash", 50, errors)]
    return Summary(f"r{number:04}", f"s{number}", "a", "/a", cost_usd=cost, active_s=active, tools=tools)


def test_too_few_sessions_say_nothing() -> None:
    """With fewer sessions than it takes there is no median, and none stands out."""
    few = [session(number) for number in range(FEWEST - 2)]
    assert (medians([*few, session(99, cost=1000.0)]), outliers([*few, session(99, cost=1000.0)])) == ({}, [])


def test_one_far_from_the_others_stands_out() -> None:
    """A session that is many times as dear, long or full of errors as the median one is named with both figures."""
    usual = [session(number, cost=1.0 + number / 10, active=300.0 + number) for number in range(11)]
    found = outliers([*usual, session(99, cost=40.0, active=9000.0, errors=30)])
    assert [(one.session.session_id, one.measure, one.value) for one in found] == [
        ("s99", "cost_usd", 40.0),
        ("s99", "active_s", 9000.0),
        ("s99", "tool_errors", 30),
    ]
    assert [round(one.median, 2) for one in found] == [1.55, 305.5, 0.0]


def test_sessions_that_are_alike_do_not_stand_out() -> None:
    """Where all are equal, one that is a little different is not unusual; nor is the whole of an even spread."""
    assert outliers([session(number) for number in range(20)] + [session(99, cost=1.5)]) == []
    assert outliers([session(number, cost=2.0**number) for number in range(12)]) == []


def test_pennies_do_not_stand_out() -> None:
    """What is many times the median and still next to nothing is not worth a word."""
    assert outliers([session(number, cost=0.001, active=3.0) for number in range(20)] + [session(99, 0.1, 60.0)]) == []


def test_one_giant_does_not_hide_another() -> None:
    """Outliers do not move the median by which they are judged."""
    usual = [session(number, cost=1.0 + (number % 5) / 10) for number in range(20)]
    found = outliers([*usual, session(98, cost=30.0), session(99, cost=100_000.0)])
    assert [one.session.session_id for one in found] == ["s99", "s98"]


def test_sessions_of_which_nothing_is_known_do_not_count() -> None:
    """A session without a price does not pull the median of costs down."""
    known = [session(number, cost=2.0) for number in range(FEWEST)]
    assert medians([*known, *[session(100 + number, cost=0.0) for number in range(50)]])["cost_usd"] == 2.0


def test_ordinary_sessions_are_left_alone() -> None:
    """Of a thousand ordinary sessions at most a few of each measure are named."""
    chance = random.Random(1)
    many = [
        session(number, cost=chance.lognormvariate(0, 1), active=chance.lognormvariate(6, 1)) for number in range(1000)
    ]
    assert len(outliers(many)) <= 10
