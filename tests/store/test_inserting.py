"""What is written again is there once."""

from __future__ import annotations

import dataclasses

from loopwright.store import Store

from .samples import full_comment, make_check, make_run, make_step


def test_a_record_is_there_once(store: Store) -> None:
    """A record with an id that is there is not written again, and what is there stays."""
    run = make_run()
    step = make_step(run)
    store.add_run(run, step)
    store.add_run(run, step)
    comment, check = full_comment(run.id), make_check(run.id)
    for again in (comment, dataclasses.replace(comment, text="other")):
        store.add_comment(again)
    store.add_checks([check])
    store.add_checks([check, make_check(run.id, 1)])
    assert store.runs() == [run]
    assert store.comments(run.id) == [comment]
    assert [found.iteration for found in store.checks(run.id)] == [check.iteration, 1]
