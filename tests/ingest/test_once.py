"""What several sessions have is counted for the first of those that are asked for."""

from __future__ import annotations

from loopwright.ingest.once import counted_once
from loopwright.records.budget import Usage
from loopwright.records.session import DailyUsage
from loopwright.records.summary import Portion, Summary, ToolUse


def at(second: int) -> str:
    return f"2026-11-16T10:00:{second:02}.000Z"


def portion(*runs: str, began: int, ended: int, cost: float | None = 0.5) -> Portion:
    used = DailyUsage("2026-11-16", "m", Usage(1, 2, 3, 4), cost)
    read = ToolUse("Read", 2, 1, 1, 0.5)
    return Portion(runs, at(began), at(ended), 2.0, 1, 2, 3, 4, {"/a": 3}, [used], [read, ToolUse(f"T{began}", 1)])


def session(name: str, *portions: Portion, began: int = 0, ended: int = 9) -> Summary:
    return Summary(name, name, "claude_code", "", started_at=at(began), ended_at=at(ended), portions=portions)


def test_a_session_that_shares_nothing_is_as_it_was() -> None:
    """Nothing is summed up anew."""
    one = session("a")
    assert counted_once([one])[0] is one


def test_what_is_left_is_summed_up() -> None:
    """Counts, times, tokens and tools are those of the portions that no earlier session has."""
    shared = portion("a", "b", began=0, ended=3)
    first = session("a", shared, portion("a", began=4, ended=5), ended=5)
    other = session("b", shared, portion("b", "c", began=4, ended=6), portion("b", began=6, ended=8, cost=None))
    whole, rest = counted_once([first, other])
    assert whole is first
    assert (rest.started_at, rest.ended_at, rest.duration_s, rest.active_s) == (at(4), at(8), 4.0, 4.0)
    assert (rest.prompts, rest.interrupts, rest.rejections, rest.raw_lines) == (2, 4, 6, 8)
    assert (rest.tokens, rest.cost_usd, rest.reread) == (Usage(2, 4, 6, 8), 0.5, {"/a": 6})
    assert [(use.tool, use.calls, use.errors) for use in rest.tools] == [("Read", 4, 2), ("T4", 1, 0), ("T6", 1, 0)]


def test_the_earlier_one_has_it_in_any_order() -> None:
    """By its start, then its end, then its name: never by where it stands."""
    shared = portion("a", "b", "c", began=0, ended=3)
    sessions = [session(name, shared, portion(name, began=4, ended=5), ended=end) for name, end in (("c", 7), ("b", 6))]
    for some in (sessions, sessions[::-1]):
        assert {one.run_id: one.prompts for one in counted_once(some) if one.prompts} == {"c": 1}


def test_a_session_of_which_nothing_is_left_is_none() -> None:
    """An exact copy is left out; where it is alone, it is there."""
    shared = portion("a", "b", began=0, ended=3)
    assert [one.run_id for one in counted_once([session("b", shared), session("a", shared)])] == ["a"]
    assert [one.run_id for one in counted_once([session("b", shared)])] == ["b"]
