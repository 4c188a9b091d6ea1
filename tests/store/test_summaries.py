"""A report's rows come from what was counted, however many sessions there are."""

from __future__ import annotations

import dataclasses

import pytest
from sqlalchemy import event

from loopwright.records.budget import Usage
from loopwright.records.event import Event, EventKind
from loopwright.records.identity import timestamp
from loopwright.records.session import Observation, Session
from loopwright.store.store import Store

from .samples import AT, make_run
from .test_sessions import observation


def told(written: Observation, **session: object) -> Observation:
    return dataclasses.replace(written, session=dataclasses.replace(written.session, **session))  # type: ignore[arg-type]


def test_a_summary_has_what_the_run_the_session_and_the_counts_say(store: Store) -> None:
    """Goal, times, tokens, tools and files come together in one record."""
    written = told(observation(), project="/home/ada/shop", prompts=2, raw_lines=1, reread={"/a.py": 4})
    failed = Event(EventKind.TOOL_RESULT, call_id="c1", is_error=True, duration_s=1.5, at=AT)
    store.observed.save_observations([dataclasses.replace(written, events=[*written.events, failed])])
    (found,) = store.observed.summaries([written.run.id])
    run, session = written.run, written.session
    assert (found.run_id, found.session_id, found.agent, found.goal) == (run.id, "s1", run.profile.agent, "Fix it")
    assert (found.started_at, found.tokens, found.cost_usd) == (run.started_at, run.spent.tokens, run.spent.cost_usd)
    assert (found.project, found.prompts, found.raw_lines, found.reread) == ("/home/ada/shop", 2, 1, {"/a.py": 4})
    assert [vars(use) for use in found.tools] == [{"tool": "Read", "calls": 3, "errors": 1, "timed": 1, "seconds": 1.5}]
    assert found.usage == sorted(session.usage, key=lambda used: used.day)


def test_many_sessions_are_asked_for_in_parts_and_come_the_newest_first(store: Store) -> None:
    """More ids than a database takes at once are no trouble, and ids that are no session's are left out."""
    many = [observation(f"s{number}", events=1) for number in range(1100)]
    store.observed.save_observations(many)
    found = store.observed.summaries([*(one.run.id for one in many), "nobody"])
    assert len(found) == 1100
    times = {one.run.id: (one.run.started_at, one.session.session_id) for one in many}
    assert [summary.run_id for summary in found] == sorted(times, key=lambda run_id: times[run_id], reverse=True)


def test_sessions_of_one_moment_come_in_the_same_order_anywhere(store: Store) -> None:
    """By what their agent calls them: our own ids are others in each store."""
    many = [observation(name, events=1) for name in ("b", "c", "a")]
    many = [dataclasses.replace(one, run=dataclasses.replace(one.run, started_at=AT)) for one in many]
    store.observed.save_observations(many)
    found = store.observed.summaries([one.run.id for one in many])
    assert [summary.session_id for summary in found] == ["c", "b", "a"]


def test_a_run_of_our_own_is_no_session(store: Store) -> None:
    """A run that did not come from a session has no summary."""
    written = observation()
    store.observed.save_observations([written])
    assert store.observed.summaries([make_run().id]) == []
    assert store.observed.summaries([]) == []


def test_a_session_without_a_time_has_none(store: Store) -> None:
    """What stands for no time in the table is not taken for 1970."""
    written = observation()
    run = dataclasses.replace(written.run, started_at=timestamp(0), ended_at=None)
    store.observed.save_observations([dataclasses.replace(written, run=run)])
    (found,) = store.observed.summaries([run.id])
    assert (found.started_at, found.ended_at) == ("", "")


def test_a_long_goal_is_cut(store: Store) -> None:
    """A goal of any length takes little room in a report."""
    written = observation()
    task = dataclasses.replace(written.run.task, goal="x" * 4000)
    store.observed.save_observations([dataclasses.replace(written, run=dataclasses.replace(written.run, task=task))])
    assert store.observed.summaries([written.run.id])[0].goal == "x" * 300


def test_no_event_is_read(store: Store) -> None:
    """The table of events is not asked, whatever its size."""
    written = observation()
    store.observed.save_observations([written])
    asked: list[str] = []
    with store._database.read() as connection:
        event.listen(connection.engine, "before_cursor_execute", lambda *given: asked.append(given[2]))
    store.observed.summaries([written.run.id])
    assert len(asked) >= 3
    assert not any("events" in words.replace("rollups.events", "") for words in asked)


@pytest.mark.parametrize("tokens", [Usage(), Usage(1, 2, 3, 4)])
def test_tokens_are_in_their_order(store: Store, tokens: Usage) -> None:
    """The four kinds of tokens are not mixed up."""
    written = observation()
    spent = dataclasses.replace(written.run.spent, tokens=tokens)
    store.observed.save_observations([dataclasses.replace(written, run=dataclasses.replace(written.run, spent=spent))])
    assert store.observed.summaries([written.run.id])[0].tokens == tokens


def test_session_without_words(store: Store) -> None:
    """A session that has no tools, no usage and no files is there all the same."""
    written = dataclasses.replace(observation(), events=[])
    bare = Session(written.run.id, "claude_code", "s1", "/a.jsonl")
    store.observed.save_observations([dataclasses.replace(written, session=bare)])
    (found,) = store.observed.summaries([written.run.id])
    assert (found.tools, found.usage, found.reread) == ([], [], {})
