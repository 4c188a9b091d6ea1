from __future__ import annotations

from dataclasses import fields

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from loopwright.ingest.report import Reread, Totals, report_of
from loopwright.records.budget import Usage
from loopwright.records.session import DailyUsage
from loopwright.records.summary import Summary, ToolUse


def session(name: str = "s", **told: object) -> Summary:
    return Summary(f"run of {name}", name, **{"agent": "claude_code", "path": "/a", **told})  # type: ignore[arg-type]


def test_nothing_comes_to_nothing() -> None:
    """A report without sessions is all zeros."""
    report = report_of([])
    assert report.totals == Totals()
    assert [getattr(report, spec.name) for spec in fields(report)[1:]] == [[], [], [], [], [], [], [], {}, [], {}]


def test_totals_are_sums() -> None:
    """Each total is the sum over the sessions."""
    one = session("a", tokens=Usage(1, 2, 3, 4), cost_usd=0.25, raw_lines=2, active_s=60.0, prompts=1, interrupts=1)
    other = session("b", tokens=Usage(10, 20, 30, 40), cost_usd=0.5, rejections=3, tools=[ToolUse("Bash", 5, 2)])
    totals = report_of([one, other], new=1).totals
    assert (totals.sessions, totals.new_sessions, totals.tool_calls, totals.tool_errors) == (2, 1, 5, 2)
    assert totals.tokens == Usage(11, 22, 33, 44)
    assert (totals.cost_usd, totals.raw_lines, totals.active_s) == (0.75, 2, 60.0)
    assert (totals.prompts, totals.interrupts, totals.rejections) == (1, 1, 3)


def test_a_session_of_two_days_counts_on_both() -> None:
    """Money goes to the day on which it was spent, and days are in their order."""
    used = [DailyUsage("2026-11-16", "m", Usage(1), 2.0), DailyUsage("2026-11-15", "m", Usage(2), 1.0)]
    report = report_of([session("a", usage=used), session("b", usage=used[:1])])
    assert [(day.name, day.sessions, day.cost_usd, day.tokens.input) for day in report.days] == [
        ("2026-11-15", 1, 1.0, 2),
        ("2026-11-16", 2, 4.0, 2),
    ]


def test_groups_are_the_dearest_first() -> None:
    """Projects, agents and models stand in the order of what they cost."""
    cheap = session("a", project="/cheap", cost_usd=1.0, active_s=5.0, usage=[DailyUsage("d", "small", Usage(1), 1.0)])
    dear = session("b", project="/dear", cost_usd=2.0, agent="codex", usage=[DailyUsage("d", "large", Usage(1), 2.0)])
    report = report_of([cheap, dear])
    assert [group.name for group in report.projects] == ["/dear", "/cheap"]
    assert [group.name for group in report.agents] == ["codex", "claude_code"]
    assert [part.name for part in report.models] == ["large", "small"]
    assert report.projects[1].active_s == 5.0
    assert [found.session_id for found in report.dearest] == []


def test_models_without_a_price_are_named_with_their_tokens() -> None:
    """What can't be priced counts as nothing and is said to be unknown, by model, day and project."""
    used = [DailyUsage("2026-11-16", "ours", Usage(5, 5)), DailyUsage("2026-11-16", "theirs", Usage(1), 1.0)]
    report = report_of([session("a", project="/p", usage=used, cost_usd=1.0, tokens=Usage(6, 5))])
    assert report.unpriced == {"ours": 10}
    assert [(part.name, part.cost_usd, part.unpriced) for part in report.models] == [
        ("theirs", 1.0, 0),
        ("ours", 0, 10),
    ]
    assert (report.days[0].cost_usd, report.days[0].unpriced, report.projects[0].unpriced) == (1.0, 10, 10)


def test_tools_are_summed_over_sessions() -> None:
    """A tool's calls, errors and times are those of all sessions, the most used first."""
    report = report_of([session("a", tools=[ToolUse("Read", 1), ToolUse("Bash", 2, 1, 1, 3.0)])] * 2)
    assert report.tools == [ToolUse("Bash", 4, 2, 2, 6.0), ToolUse("Read", 2)]


def test_files_read_again_and_again_are_summed_over_sessions() -> None:
    """A file has how often it was read, and in how many sessions."""
    report = report_of([session("a", reread={"/a.py": 3, "/b.py": 9}), session("b", reread={"/a.py": 8})])
    assert report.reread == [Reread("/a.py", 11, 2), Reread("/b.py", 9, 1)]


def test_the_dearest_and_the_stopped() -> None:
    """The dearest sessions come first, by tokens where they cost the same; so do those that were stopped most."""
    spent = [
        session(name, cost_usd=cost, tokens=Usage(count))
        for name, cost, count in (("a", 1.0, 1), ("b", 3.0, 1), ("c", 1.0, 5), ("d", 0.0, 0))
    ]
    assert [found.session_id for found in report_of(spent).dearest] == ["b", "c", "a"]
    stopped = [session("a", interrupts=1), session("b"), session("c", interrupts=1, rejections=2)]
    assert [found.session_id for found in report_of(stopped).stopped] == ["c", "a"]
    lost = [session("a", raw_lines=4), session("b", prompts=1, raw_lines=4)]
    assert [found.session_id for found in report_of(lost).not_understood] == ["a"]


WORDS = some.text(max_size=5)
COUNTS = some.integers(0, 10**12)
COSTS = some.floats(0, 1e9, allow_nan=False)
USAGE = some.builds(DailyUsage, WORDS, WORDS, some.builds(Usage, COUNTS, COUNTS), some.none() | COSTS)
SESSIONS = some.builds(
    Summary, WORDS, WORDS, WORDS, WORDS, WORDS, cost_usd=COSTS, active_s=COSTS, usage=some.lists(USAGE, max_size=4),
    tools=some.lists(some.builds(ToolUse, WORDS, COUNTS, COUNTS), max_size=4), raw_lines=COUNTS,
    reread=some.dictionaries(WORDS, COUNTS, max_size=3),
)  # fmt: skip


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(some.lists(SESSIONS, max_size=12))
def test_no_sum_loses_anything(sessions: list[Summary]) -> None:
    """Whatever the sessions are, groups, days, models and tools come to what the sessions come to."""
    report = report_of(sessions)
    used = [used for session in sessions for used in session.usage]
    assert sum(part.tokens.total for part in report.days) == sum(one.tokens.total for one in used)
    assert sum(part.tokens.total for part in report.models) == sum(one.tokens.total for one in used)
    assert sum(group.sessions for group in report.projects) == len(sessions)
    assert sum(use.calls for use in report.tools) == report.totals.tool_calls
    assert sum(group.tool_errors for group in report.agents) == report.totals.tool_errors
