"""What sessions have in common is kept, and found again."""

from __future__ import annotations

import dataclasses

from loopwright.records.budget import Usage
from loopwright.records.event import Event, EventKind
from loopwright.records.session import DailyUsage
from loopwright.records.summary import Portion, ToolUse
from loopwright.store.store import Store

from .samples import AT
from .test_sessions import observation

LONG = "toolu_" + "1" * 24


def test_marks_are_those_of_calls_and_messages(store: Store) -> None:
    """Each part of a session has a row; the first has the ids of the first messages, and replaces what was there."""
    written = observation(events=2)
    call = Event(EventKind.TOOL_CALL, tool="Read", call_id=LONG, at=AT)
    others = [Event(EventKind.PROMPT, "Go", at=AT), Event(EventKind.TOOL_RESULT, call_id="c9", at=AT)]
    more = dataclasses.replace(written, events=[call, call, *others], first=3, heads=())
    for _ in range(2):
        store.observed.save_observations([written, more])
    first = f"h1\nh2\nc1 {AT}\nc2 {AT}"
    assert sorted(store.observed.marks([written.run.id, "nobody"])) == sorted(
        [(written.run.id, first), (written.run.id, LONG)]
    )


def test_a_session_is_news_until_it_was_compared(store: Store) -> None:
    """Each time that it is written."""
    one, other = observation("s1"), observation("s2")
    store.observed.save_observations([one, other])
    store.observed.settle({one.run.id: ()})
    assert store.observed.news() == [other.run.id]
    store.observed.save_observations([one])
    assert sorted(store.observed.news()) == sorted([one.run.id, other.run.id])


def test_portions_come_back_as_they_were(store: Store) -> None:
    """With the session that they are of, in their order, and the last word counts."""
    one, other = observation("s1"), observation("s2")
    store.observed.save_observations([one, other])
    used = [DailyUsage("2026-11-16", "a model", Usage(1, 2, 3, 4), 0.5), DailyUsage("", "unknown", Usage(1))]
    whole = Portion(
        [one.run.id, other.run.id], AT, AT, 1.5, 1, 2, 3, 4, {"/a": 3}, used, [ToolUse("Read", 3, 2, 1, 0.5)]
    )
    rest = Portion([one.run.id], usage=[], tools=[])
    store.observed.settle({one.run.id: [rest]})
    store.observed.settle({one.run.id: [whole, rest]})
    found = {summary.run_id: summary.portions for summary in store.observed.summaries([one.run.id, other.run.id])}
    assert found == {one.run.id: [whole, rest], other.run.id: ()}
    assert sorted(map(len, store.observed.kin())) == [1, 2]


def test_events_to_count_have_no_words(store: Store) -> None:
    """They come in their order, part by part, with what tokens were used and without what was said or given."""
    used = Event(EventKind.USAGE, data={"message": "m", "input": 5}, at=AT)
    call = Event(EventKind.TOOL_CALL, "x", "Read", LONG, path="/a", data={"input": {"path": "/a"}}, at=AT)
    written = dataclasses.replace(observation(), events=[call, used])
    store.observed.save_observations([written])
    first, second = (store.observed.counted(written.run.id, after, 1) for after in (0, 1))
    assert first == [Event(EventKind.TOOL_CALL, "", "Read", LONG, path="/a", seq=1, at=AT)]
    assert second == [dataclasses.replace(used, seq=2)]
    assert store.observed.counted(written.run.id, 2, 1) == []
