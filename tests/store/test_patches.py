"""Patches in the store, on both databases."""

from __future__ import annotations

import dataclasses

import pytest

from loopwright.errors import BusyError, UnknownName
from loopwright.records.identity import new_id
from loopwright.records.patch import Patch
from loopwright.store import Store


def patch(**changes: object) -> Patch:
    words = ("worker/docs", "f", "t", "r", "before", "after", "library x", "2026-11-16T00:00:00.000Z")
    return dataclasses.replace(Patch(new_id(), "prompt", *words, runs=("a", "b")), **changes)  # type: ignore[arg-type]


def test_what_is_written_is_read(store: Store) -> None:
    """A patch is the same when it is read again, found by its id or the end of it."""
    made = patch(title="NUL \0 and half \ud800")
    assert store.patches.add(made)
    assert store.patches.add(made)
    found = store.patches.find(made.id[-8:])
    assert dataclasses.replace(found, title=made.title) == made
    assert store.patches.all("rejected") == []
    for name in ("nothing", made.id[-3:]):
        with pytest.raises(UnknownName):
            store.patches.find(name)


def test_nothing_is_proposed_twice(store: Store) -> None:
    """The same change by somebody else is not written, whatever became of the first."""
    first = patch()
    store.patches.add(first)
    store.patches.save(dataclasses.replace(first, status="rejected"), "proposed")
    assert not store.patches.add(patch(author="gepa", title="other"))
    assert store.patches.add(patch(after="other"))
    assert len(store.patches.all()) == 2


def test_two_who_decide_at_once(store: Store) -> None:
    """One of them is told that the other was faster; the same write again is no other."""
    made = patch()
    store.patches.add(made)
    tested = dataclasses.replace(made, status="testing", experiment="e", version=2)
    store.patches.save(tested, "proposed")
    store.patches.save(tested, "proposed")
    with pytest.raises(BusyError):
        store.patches.save(dataclasses.replace(made, status="rejected"), "proposed")
    assert store.patches.find(made.id) == tested
