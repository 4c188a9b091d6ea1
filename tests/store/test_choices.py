"""Choices of the bandit in their tables."""

from __future__ import annotations

import threading

from loopwright.records.choice import Choice, Counts
from loopwright.records.identity import new_id
from loopwright.store import Store, open_store
from loopwright.verify.bandit import counted

from .samples import kinds


def choice(arm: str = "fast", at: str = "1") -> Choice:
    return Choice("docs", arm, {"fast": 0.25, "careful": 0.75}, new_id(), at)


def test_an_outcome_counts_once(store: Store) -> None:
    """What came of a choice is added up for its arm and task type; again it changes nothing."""
    one = choice()
    store.choices.add(one)
    for passed in (True, False):
        store.choices.deliver(one.id, passed, 0.5, "m", counted)
    assert store.choices.counts() == {("docs", "fast"): Counts(1, 0, 0.5)}


def test_another_model_begins_nearly_anew(store: Store) -> None:
    """A tenth is kept of what was known of the arm; what the model before still brings in counts a tenth."""
    old, late, new = choice(at="1"), choice(at="2"), choice(at="3")
    for one in (old, late, new):
        store.choices.add(one)
    store.choices.deliver(old.id, True, 1.0, "m-1", counted)
    store.choices.deliver(new.id, False, 1.0, "m-2", counted)
    assert store.choices.counts() == {("docs", "fast"): Counts(0.1, 1, 1.1)}
    store.choices.deliver(late.id, True, 1.0, "m-1", counted)
    assert store.choices.counts()["docs", "fast"] == Counts(0.2, 1, 1.2000000000000002)


def test_many_at_once(place: str) -> None:
    """Outcomes that come at the same time are all counted."""
    made = [choice("careful" if number % 2 else "fast") for number in range(16)]
    with open_store(place, kinds) as store:
        for one in made:
            store.choices.add(one)

        def deliver(one: Choice) -> None:
            with open_store(place, kinds) as mine:
                mine.choices.deliver(one.id, True, 0.0, "", counted)

        threads = [threading.Thread(target=deliver, args=(one,)) for one in made]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        assert store.choices.counts() == {("docs", "fast"): Counts(8, 0, 0), ("docs", "careful"): Counts(8, 0, 0)}
