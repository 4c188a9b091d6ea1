"""Sessions that ran elsewhere come back as they were, and can be written again."""

from __future__ import annotations

import dataclasses

from loopwright.records.budget import Usage
from loopwright.records.event import Event, EventKind
from loopwright.records.identity import new_id
from loopwright.records.run import Status, Step
from loopwright.records.session import DailyUsage, Observation, Session, Source
from loopwright.records.task import Observed
from loopwright.store.store import Store

from .samples import AT, make_attempt, make_run


def observation(session_id: str = "s1", events: int = 3, first: int = 1, run_id: str = "") -> Observation:
    run = make_run(id=run_id or new_id(), task=Observed("Fix it"), status=Status.OBSERVED, source="claude_code")
    step = Step(f"step of {run.id}", run.id)
    attempt = dataclasses.replace(make_attempt(step), id=f"attempt of {run.id}")
    used = [DailyUsage("2026-11-16", "a model", Usage(1, 2, 3, 4), 0.5), DailyUsage("", "unknown", Usage(1))]
    session = Session(run.id, "claude_code", session_id, "/a.jsonl", usage=used)
    calls = [
        Event(EventKind.TOOL_CALL, tool="Read", call_id=f"c{number}", at=AT) for number in range(first, first + events)
    ]
    return Observation(run, step, attempt, session, calls, first, ["h1", "h2"])


def test_a_session_comes_back_as_a_run(store: Store) -> None:
    """Its run has a task without criteria, its events are numbered, and they are counted."""
    written = observation()
    store.observed.save_observations([written])
    assert store.run(written.run.id) == written.run
    assert [event.seq for event in store.events(written.run.id)] == [1, 2, 3]
    assert {event.attempt_id for event in store.events(written.run.id)} == {written.attempt.id}
    assert store.attempts(written.run.id) == [written.attempt]
    assert store.view("tool_usage", written.run.id)[0]["calls"] == 3


def test_the_first_part_replaces_what_was_there_and_the_next_is_added(store: Store) -> None:
    """A session that is read again does not count twice, and a long one comes in parts."""
    run_id = observation().run.id
    for first, events in ((1, 5), (1, 2), (3, 2)):
        store.observed.save_observations([observation(first=first, events=events, run_id=run_id)])
    assert [event.seq for event in store.events(run_id)] == [1, 2, 3, 4]
    assert store.view("tool_usage", run_id)[0]["calls"] == 4


def test_a_session_is_found_by_its_name(store: Store) -> None:
    """The runs of sessions are known by format and id."""
    one, other = observation("s1"), observation("s2")
    store.observed.save_observations([one, other])
    assert store.observed.session_runs() == {("claude_code", "s1"): one.run.id, ("claude_code", "s2"): other.run.id}


def test_files_that_were_looked_at_are_remembered(store: Store) -> None:
    """What a file was when it was read comes back, and is written over when it has changed."""
    source = Source("/a.jsonl", 10, 2**62, "claude_code", "cut", ("r1", "r2"), False, 3)
    store.observed.save_sources([source, Source("/b", 1, 1)])
    assert store.observed.sources()["/a.jsonl"] == dataclasses.replace(source, runs=["r1", "r2"])
    store.observed.save_sources([dataclasses.replace(source, size=11)])
    assert store.observed.sources()["/a.jsonl"].size == 11
    assert len(store.observed.sources()) == 2
