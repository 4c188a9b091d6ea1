"""Versions in their tables: numbers, and what is in use."""

from __future__ import annotations

import dataclasses
import threading

import pytest

from loopwright.errors import BusyError
from loopwright.records.identity import new_id
from loopwright.records.version import Release, Version
from loopwright.store import Store, open_store

from .samples import kinds

NAME = "worker/docs"


def version(content: str = "one", parent: int | None = None) -> Version:
    return Version(new_id(), "prompt", NAME, 1, content, parent, 0, "human", "because", "2026-01-02T00:00:00.000Z")


def release(number: int, previous: int | None = None) -> Release:
    return Release(new_id(), "prompt", NAME, number, previous, "2026-01-02T00:00:00.000Z", "me", "because")


def test_the_first_one_is_in_use(store: Store) -> None:
    """What begins is in use; who begins again changes nothing."""
    assert store.versions.current("prompt", NAME) is None
    first, used = version(), release(1)
    store.versions.begin(first, used)
    store.versions.begin(version("another"), release(1))
    assert store.versions.current("prompt", NAME) == (used, first)
    assert store.versions.names("prompt") == [NAME]
    assert store.versions.names("profile") == []


def test_numbers_go_up_one_by_one(store: Store) -> None:
    """Each version gets the next number, and the one that is written again keeps its own."""
    store.versions.begin(version(), release(1))
    second = store.versions.add(version("two", 1))
    assert (second.number, store.versions.add(second).number) == (2, 2)
    assert [one.content for one in store.versions.history("prompt", NAME)] == ["one", "two"]


def test_many_at_once_get_numbers_of_their_own(place: str) -> None:
    """Eight who write at the same time get eight numbers, also those who begin at the same time."""
    barrier, numbers = threading.Barrier(8), []

    def write() -> None:
        with open_store(place, kinds) as mine:
            barrier.wait()
            mine.versions.begin(version(), release(1))
            numbers.append(mine.versions.add(version("more", 1)).number)

    with open_store(place, kinds):
        threads = [threading.Thread(target=write) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
    assert sorted(numbers) == list(range(2, 10))


def test_two_releases_at_once(store: Store) -> None:
    """Only one of two that replace the same release is made; it can be written again without harm."""
    first = release(1)
    store.versions.begin(version(), first)
    store.versions.add(version("two", 1))
    made = release(2, 1)
    store.versions.put_in_use(made, first.id)
    store.versions.put_in_use(made, first.id)
    with pytest.raises(BusyError, match="meanwhile"):
        store.versions.put_in_use(release(1, 2), first.id)
    assert store.versions.releases("prompt", NAME) == [first, made]
    found = store.versions.current("prompt", NAME)
    assert found is not None
    assert found[0] == dataclasses.replace(made)
    assert found[1].content == "two"
