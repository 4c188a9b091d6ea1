"""What is read of runs to show them, and how exported ones come back, in both databases."""

from __future__ import annotations

import dataclasses

import pytest

from export.samples import observed, ours
from loopwright.errors import StoreError, UsageError
from loopwright.records.bundle import Bundle
from loopwright.records.event import EventKind
from loopwright.records.identity import new_id
from loopwright.records.run import Status
from loopwright.store.store import Store

from .samples import make_run, make_step


@pytest.mark.parametrize("bundle", [observed(), ours()], ids=["observed", "ours"])
def test_a_run_comes_back_whole(store: Store, bundle: Bundle) -> None:
    """A run that was brought in is read as it was, with all that belongs to it."""
    store.recorded.bring(bundle)
    found = store.recorded.bundle(bundle.run.id)
    assert found.session == bundle.session
    for name in ("steps", "attempts", "checks", "comments", "acceptances", "rollups"):
        assert list(getattr(found, name)) == list(getattr(bundle, name))
    assert [event.seq for event in found.events] == [event.seq for event in bundle.events]
    assert dataclasses.replace(found.run, task=bundle.run.task) == bundle.run
    assert store.recorded.bundle(bundle.run.id, events=False).events == ()


def test_what_is_there_stays_unless_it_is_to_be_replaced(store: Store) -> None:
    """A run that is there is refused; replaced, nothing of what was there is left."""
    bundle = observed()
    assert store.recorded.bring(bundle) is False
    with pytest.raises(UsageError, match="is there already"):
        store.recorded.bring(bundle)
    shorter = dataclasses.replace(bundle, events=bundle.events[:2])
    assert store.recorded.bring(shorter, replace=True) is True
    assert len(store.recorded.bundle(bundle.run.id).events) == 2


def test_a_run_at_work_is_not_replaced(store: Store) -> None:
    """Nobody's work is pulled away under them."""
    run = make_run()
    store.add_run(run, make_step(run))
    with pytest.raises(UsageError, match="is running here"):
        store.recorded.bring(dataclasses.replace(ours(), run=run, steps=[], attempts=[], checks=[]), replace=True)
    assert store.run(run.id).status is Status.RUNNING


def test_a_session_is_one_run(store: Store) -> None:
    """A session that is there under another id is refused, and nothing of it is written."""
    store.recorded.bring(observed())
    other = observed()
    with pytest.raises(UsageError, match="session `s-1` is there already"):
        store.recorded.bring(other)
    assert store.recorded.newest()[1] == 1


def test_a_broken_one_leaves_nothing(store: Store) -> None:
    """Where one part can't be written, none is."""
    bundle = ours()
    taken = dataclasses.replace(bundle, steps=[*bundle.steps, dataclasses.replace(bundle.steps[0], id=new_id())])
    with pytest.raises(StoreError):
        store.recorded.bring(taken)
    assert store.recorded.newest() == ([], 0)


def test_errors_are_put_together(store: Store) -> None:
    """Like errors are one row with how often, the most frequent first."""
    bundle = observed()
    store.recorded.bring(bundle)
    (group,) = store.recorded.errors(bundle.run.id)
    assert (group.count, group.fingerprint, group.tool, group.first_seq) == (2, "feed0123feed0123", "Bash", 16)
    assert "1 failed" in group.message
    assert store.recorded.errors("none") == []


def test_actions_have_no_words(store: Store) -> None:
    """Calls, results and retries are read without their text, in order."""
    bundle = observed()
    store.recorded.bring(bundle)
    actions = store.recorded.actions(bundle.run.id)
    assert [event.seq for event in actions] == sorted(event.seq for event in actions)
    assert {event.kind for event in actions} == {EventKind.TOOL_CALL, EventKind.TOOL_RESULT, EventKind.RETRY}
    assert {event.text for event in actions} == {""}


def test_the_newest_runs_and_how_many_there_are(store: Store) -> None:
    """A limit and a source narrow the list, and the count is of all that match."""
    for number in range(3):
        run = make_run(started_at=f"2026-01-0{number + 1}T00:00:00.000Z")
        store.add_run(run, make_step(run))
    store.recorded.bring(observed())
    found, total = store.recorded.newest(2)
    assert (len(found), total) == (2, 4)
    assert store.recorded.newest(2, "")[1] == 3
    assert [run.source for run in store.recorded.newest(None, "claude_code")[0]] == ["claude_code"]
    assert store.recorded.sources() == ["", "claude_code"]


def test_what_ran_elsewhere_does_not_wait_and_does_not_count_as_spent(store: Store) -> None:
    """An escalated run of another machine is not in our queue, nor its cost in our limits."""
    bundle = ours()
    run = dataclasses.replace(bundle.run, source="loopwright", closed_at=None)
    store.recorded.bring(dataclasses.replace(bundle, run=run))
    assert store.queue() == []
    assert store.spent_since("2000") == 0.0
