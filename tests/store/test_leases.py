"""One holder at a time, by the store's own word."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from loopwright.errors import LeaseLost, UnknownName
from loopwright.records.lease import Lease
from loopwright.records.signal import Signal
from loopwright.store import Store

from .samples import full_comment, make_attempt, make_check, make_run, make_step, messages


def held(store: Store, holder: str = "me") -> Lease:
    run = make_run()
    return store.add_run(run, make_step(run), holder)


def test_a_new_run_belongs_to_who_made_it(store: Store) -> None:
    """The first holder has the first token."""
    lease = held(store)
    assert (lease.token, lease.holder) == (1, "me")
    assert store.lease(lease.run_id) == lease
    with pytest.raises(UnknownName):
        store.lease("nobody")


def test_a_takeover_raises_the_token(store: Store) -> None:
    """Who takes a run has a higher token than all before; who looked too long ago gets nothing."""
    first = held(store)
    second = store.take(first, "other")
    assert second is not None and second.token == first.token + 1
    assert store.take(first, "late") is None
    assert store.lease(first.run_id).holder == "other"


def test_an_answer_that_was_lost_on_its_way(store: Store) -> None:
    """A take that was done, and is done again since nobody heard of it, gives the same lease."""
    first = held(store)
    assert store.take(first, "other 1") == store.take(first, "other 1")
    assert store.lease(first.run_id).token == 2


def test_a_beat_between_looking_and_taking_saves_the_holder(store: Store) -> None:
    """A holder that shows itself at the last moment keeps the run."""
    lease = held(store)
    assert store.renew(lease)
    assert store.take(lease, "other") is None
    assert store.lease(lease.run_id).beat == lease.beat + 1


def test_who_was_taken_over_can_neither_renew_nor_release(store: Store) -> None:
    """An old token changes nothing any more."""
    lease = held(store)
    taken = store.take(lease, "other")
    assert not store.renew(lease)
    store.release(lease)
    assert store.lease(lease.run_id) == taken


def test_a_released_run_has_no_holder(store: Store) -> None:
    """It can be taken at once, with a higher token all the same."""
    lease = held(store)
    store.release(lease)
    assert store.lease(lease.run_id).holder == ""
    taken = store.take(store.lease(lease.run_id), "other")
    assert taken is not None and taken.token == 2


def test_every_stale_write_is_refused(store: Store) -> None:
    """Each way to write about a run is shut to who was taken over, and nothing of it is there afterwards."""
    run = make_run()
    step = make_step(run)
    ours = store.under(store.add_run(run, step, "me"))
    attempt = make_attempt(step)
    ours.save_attempt(attempt)
    ours.append_events(run.id, messages(2))
    assert store.take(store.lease(run.id), "other")
    writes = [
        lambda: ours.save_run(run),
        lambda: ours.save_attempt(attempt),
        lambda: ours.append_events(run.id, messages(1, first=3)),
        lambda: ours.add_checks([make_check(run.id, 1, attempt_id=attempt.id)]),
        lambda: ours.add_comment(full_comment(run.id)),
        lambda: ours.add_signals([Signal("s1", run.id, "error_loop", "low", "x", (1,))]),
    ]
    for write in writes:
        with pytest.raises(LeaseLost, match="taken over by process other"):
            write()
    assert (store.last_seq(run.id), store.checks(run.id), store.comments(run.id)) == (2, [], [])
    assert store.measured.signals([run.id]) == []


def test_of_many_who_take_one_gets_it(store: Store) -> None:
    """Eight threads that saw the same lease: one has it."""
    lease = held(store)
    with ThreadPoolExecutor(8) as pool:
        taken = list(pool.map(lambda number: store.take(lease, f"holder {number}"), range(8)))
    assert sum(one is not None for one in taken) == 1
    assert store.lease(lease.run_id).token == 2
