"""Reviews and answers are kept: numbered without gaps, answered once."""

from __future__ import annotations

import dataclasses
import threading

import pytest

from loopwright.errors import UnknownName
from loopwright.records.identity import new_id
from loopwright.records.review import Compared, Item, Review, ReviewStatus, Said
from loopwright.registry import kinds
from loopwright.store import Store, open_store

AT = "2026-11-16T06:00:00.000Z"
ITEM = Item(
    1, "accuracy", "It says done too early", "9 of 30 sessions", 4.1, "untested", "k", patch="p", patch_hash="h"
)
COMPARED = Compared("worker/docs", "@1", "@2", 40, 38, 20, 25, 0.4, 0.3, "not more than chance")


def review(number: int, **changes: object) -> Review:
    made = Review(new_id(), number, AT, "2026-11-18T06:00:00.000Z", 24.0, 30, 12.5, [ITEM], [COMPARED])
    return dataclasses.replace(made, **changes)  # type: ignore[arg-type]


def said(to: Review, name: str = "", words: str = "deploy all") -> Said:
    return Said(name or new_id(), to.id, AT, "ada", "console", words, to.shown)


def test_written_and_read(store: Store) -> None:
    """What is read is what was written, with the number that the store gave; a new one takes the place of who waits."""
    first = store.reviews.add(review)
    assert store.reviews.get(1) == first
    second = store.reviews.add(review)
    assert (first.number, second.number) == (1, 2)
    assert store.reviews.get(1).shown == first.shown != second.shown
    assert store.reviews.newest(5) == [second, dataclasses.replace(first, status="expired")]
    with pytest.raises(UnknownName, match="no review `9`"):
        store.reviews.get(9)


def test_an_answer_counts_once(store: Store) -> None:
    """Delivered twice it is there once, and only the first of two that end a review does so."""
    made = store.reviews.add(review)
    answer = said(made, "slack-1")
    assert store.reviews.say(answer, "deployed") == answer
    store.reviews.done("slack-1", "1 released")
    again = store.reviews.say(dataclasses.replace(answer, words="deploy 1"), "deployed")
    assert again == dataclasses.replace(answer, outcome="1 released", done=True)
    assert store.reviews.say(said(made), "rejected") is None
    assert store.reviews.get(1).status == "deployed"
    assert store.reviews.answers(made.id) == [again]


def test_who_died_over_an_answer(store: Store) -> None:
    """An answer that was written and not done is found again."""
    made = store.reviews.add(review)
    answer = said(made)
    store.reviews.say(answer, "deployed")
    assert store.reviews.unfinished() == [answer]
    store.reviews.done(answer.id, "done")
    assert store.reviews.unfinished() == []


def test_what_is_over(store: Store) -> None:
    """A review whose time is over is expired, and nobody ends it any more."""
    made = store.reviews.add(review)
    assert store.reviews.expire("2026-11-18T05:59:59.999Z") == []
    assert store.reviews.newest(5, "pending") == [made]
    assert store.reviews.expire("2026-11-18T06:00:00.000Z") == [made.number]
    assert [one.status for one in store.reviews.newest(5)] == ["expired"]
    assert store.reviews.say(said(made), "deployed") is None


def test_two_at_the_same_moment(store: Store, place: str) -> None:
    """Numbers are given once, and of two answers at once one ends the review."""
    made, barrier = store.reviews.add(review), threading.Barrier(4)
    won: list[ReviewStatus] = []

    def go(ends: ReviewStatus) -> None:
        with open_store(place, kinds) as mine:
            barrier.wait(30)
            if mine.reviews.say(said(made), ends):
                won.append(ends)
            mine.reviews.add(review)

    workers = [threading.Thread(target=go, args=(ends,)) for ends in ("deployed", "rejected", "deployed", "rejected")]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
    assert len(won) == 1
    assert store.reviews.get(1).status == won[0]
    assert sorted(one.number for one in store.reviews.newest(9)) == [1, 2, 3, 4, 5]
