"""Events keep their order, their numbers and their text."""

from __future__ import annotations

import dataclasses
import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from loopwright.errors import StoreError
from loopwright.records.event import Event, EventKind
from loopwright.records.run import Run
from loopwright.store import Store
from loopwright.store.columns import storable, to_json

from .samples import make_attempt, make_run, make_step, messages, numbered

ANY_TEXT = st.text(alphabet=st.characters(exclude_categories=()), max_size=50)


@pytest.fixture
def run(store: Store) -> Run:
    run = make_run()
    store.add_run(run, make_step(run))
    return run


def test_events_are_read_in_the_order_of_their_numbers(store: Store, run: Run) -> None:
    """Whatever the order of the batches, events come by their numbers."""
    events = messages(1500)
    for start in (500, 1000, 0):
        store.append_events(run.id, events[start : start + 500])
    assert store.events(run.id) == events


def test_a_reader_can_follow(store: Store, run: Run) -> None:
    """Asking for what came after a number gives exactly that, as much as is asked for."""
    events = messages(10)
    store.append_events(run.id, events)
    assert store.events(run.id, after=4) == events[4:]
    assert store.events(run.id, after=4, limit=3) == events[4:7]
    assert store.events(run.id, after=10) == []
    store.append_events(run.id, more := messages(2, first=11))
    assert store.events(run.id, after=10) == more
    assert store.events(run.id, after=10, kind=EventKind.MESSAGE) == more
    assert store.events(run.id, kind=EventKind.DENIAL) == []


def test_runs_number_their_events_apart(store: Store, run: Run) -> None:
    """Two runs may use the same numbers, and each reads its own events."""
    other = make_run()
    store.add_run(other, make_step(other))
    store.append_events(run.id, messages(3))
    assert (store.last_seq(run.id), store.last_seq(other.id)) == (3, 0)
    store.append_events(other.id, messages(1))
    assert (len(store.events(run.id)), len(store.events(other.id))) == (3, 1)


def test_the_last_number_is_the_highest(store: Store, run: Run) -> None:
    """The newest event's number is known without reading events; 0 where there is none."""
    assert store.last_seq(run.id) == 0
    store.append_events(run.id, [])
    assert store.last_seq(run.id) == 0
    store.append_events(run.id, messages(2, first=41))
    assert store.last_seq(run.id) == 42


def test_a_number_that_is_taken_refuses_the_whole_batch(store: Store, run: Run) -> None:
    """Two writers of one run can't mix: the second one's batch is refused, and nothing of it is kept."""
    store.append_events(run.id, messages(3))
    with pytest.raises(StoreError):
        store.append_events(run.id, messages(5, first=2)[::-1])
    assert store.events(run.id) == messages(3)


def test_an_event_without_a_number_is_refused(store: Store, run: Run) -> None:
    """An event that nobody numbered would be lost to readers that follow."""
    with pytest.raises(StoreError):
        store.append_events(run.id, [Event(EventKind.NOTE, at="2026-01-01T00:00:00.000Z")])


def test_an_event_of_an_unknown_run_is_refused(store: Store) -> None:
    """What belongs to no run is not written."""
    with pytest.raises(StoreError):
        store.append_events("nobody", messages(1))


def test_text_may_hold_anything(store: Store, run: Run) -> None:
    """Any text of an agent is kept in every field; only NUL and half surrogates are replaced by a sign for them."""
    text = "naïve 漢字 🙂\r\n\t\x1b[31m ' \" % :name ? \\ \u2028 nul:\0 half:\ud83d."
    kept = text.replace("\0", "␀").replace("\ud83d", "\ufffd")
    names = ("text", "tool", "call_id", "parent_call_id", "command", "path")
    store.append_events(run.id, numbered(Event(EventKind.RAW, **dict.fromkeys(names, text))))
    (event,) = store.events(run.id)
    assert [getattr(event, name) for name in names] == [kept] * len(names)


def test_text_of_other_records_may_hold_anything(store: Store) -> None:
    """A goal, an agent's last words and a commit's summary are kept like the text of events."""
    text = "nul:\0 half:\ud83d 🙂"
    kept = storable(text)
    run = make_run(goal=text, detail=text)
    step = make_step(run)
    store.add_run(run, step)
    store.save_attempt(make_attempt(step, output=text, detail=text, files_changed=text))
    (attempt,) = store.attempts(run.id)
    assert store.run(run.id) == dataclasses.replace(run, detail=kept)
    assert [attempt.output, attempt.detail, attempt.files_changed] == [kept] * 3


def test_huge_text_is_kept_whole(store: Store, run: Run) -> None:
    """Twenty megabytes in one event come back as they were."""
    huge = "0123456789abcdeé" * (20 * 2**20 // 16)
    event = Event(EventKind.TOOL_RESULT, huge, data={"huge": huge})
    store.append_events(run.id, numbered(event))
    assert store.events(run.id) == numbered(event)


@given(ANY_TEXT)
def test_storable_text_is_changed_as_little_as_can_be(text: str) -> None:
    """Text becomes valid UTF-8 without NUL, character by character, and good text is left alone."""
    kept = storable(text)
    kept.encode()
    assert "\0" not in kept
    assert len(kept) == len(text)
    assert all(a == b or a == "\0" or "\ud800" <= a <= "\udfff" for a, b in zip(text, kept, strict=True))


@given(st.dictionaries(ANY_TEXT, st.none() | st.booleans() | st.integers() | ANY_TEXT | st.lists(ANY_TEXT), max_size=5))
def test_plain_data_is_the_same_after_json(data: dict[str, object]) -> None:
    """Any plain data becomes JSON that every database takes, and back; nothing becomes NULL but what is empty."""
    written = to_json(data)
    assert (written is None) == (not data)
    assert written is None or (storable(written) == written and json.loads(written) == data)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(EventKind), ANY_TEXT, st.none() | ANY_TEXT), min_size=1, max_size=10))
def test_any_batch_comes_back(store: Store, run: Run, drawn: list[tuple[EventKind, str, str | None]]) -> None:
    """Batches of any events, one after the other, come back in storable form."""
    last = store.last_seq(run.id)
    batch = numbered(*(Event(kind, text, command=command) for kind, text, command in drawn), first=last + 1)
    store.append_events(run.id, batch)
    expected = [(kind, storable(text), None if command is None else storable(command)) for kind, text, command in drawn]
    assert [(event.kind, event.text, event.command) for event in store.events(run.id, after=last)] == expected
