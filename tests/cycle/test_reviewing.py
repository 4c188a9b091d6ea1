"""A human's answer is done once, for what was shown, in its time."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path

import pytest

from loopwright.cycle.reviewing import Reviewing
from loopwright.errors import UsageError
from loopwright.records.identity import new_id
from loopwright.records.patch import Patch
from loopwright.records.review import Item, Review
from loopwright.registry import kinds
from loopwright.store import Store, open_store

AT = "2026-11-16T06:00:00.000Z"


def patch(name: str, **changes: str) -> Patch:
    made = Patch(name, "prompt", "worker/docs", "k", "t", "r", "old line\nsame", f"new {name}\nsame", "deletion", AT)
    return dataclasses.replace(made, **changes)  # type: ignore[arg-type]


class Deployed:
    """Satisfies cycle.reviewing.Deploying: writes down what it is asked for."""

    def __init__(self) -> None:
        self.patches = {name: patch(name) for name in ("p1", "p2", "p3")}
        self.done: list[str] = []

    def patch(self, patch_id: str) -> Patch:
        return self.patches[patch_id]

    def deploy(self, patch: Patch, by: str, *, now: bool) -> str:
        if patch.id in self.done:
            return "is in use already"
        if patch.why == "unsafe":
            raise UsageError("it is not safe")
        self.done.append(patch.id)
        return f"released at once by {by}" if now else f"released by {by}"

    def texts(self, patch: Patch) -> tuple[str, str]:
        return patch.before, patch.after

    def roll_back(self, name: str, by: str, reason: str) -> str:
        return f"rolled back {name or 'the last'}: {reason}"

    def more(self, finding: str) -> str:
        return f"all of {finding}"

    def feedback(self, run: str, by: str, *, up: bool) -> str:
        return f"{run} {up} {by}"

    def optimize(self) -> str:
        return "begun"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "store.sqlite", kinds) as opened:
        yield opened


@pytest.fixture
def reviewing(store: Store) -> Reviewing:
    deployed = Deployed()
    items = [
        Item(number, "accuracy", f"title {number}", "detail", 1.0, "proven", "k", patch=name, patch_hash=found.hash)
        for number, (name, found) in enumerate(deployed.patches.items(), 1)
    ]
    items = [dataclasses.replace(item, is_deployable=item.number != 3) for item in items]
    store.reviews.add(lambda number: Review(new_id(), number, AT, "2026-11-18T06:00:00.000Z", 24.0, 3, 1.0, items))
    return Reviewing(store.reviews, deployed, lambda: "2026-11-16T07:00:00.000Z")


def done(reviewing: Reviewing) -> list[str]:
    assert isinstance(reviewing.deploying, Deployed)
    return reviewing.deploying.done


@pytest.mark.parametrize(
    ("words", "patches", "said"),
    [
        ("deploy all", ["p1", "p2"], "1. released by ada\n2. released by ada"),
        ("Please deploy 2 now", ["p2"], "2. released at once by ada"),
        ("remove 1, deploy", ["p2"], "2. released by ada"),
        ("deploy 2, 3", ["p2"], "2. released by ada\n3. not deployed: it needs your own hand"),
        ("skip", [], "Skipped: nothing was changed."),
    ],
)
def test_deployed(reviewing: Reviewing, words: str, patches: list[str], said: str) -> None:
    """What is meant is deployed and nothing else, and the review is answered."""
    assert reviewing.answer(1, words, "ada") == said
    assert done(reviewing) == patches
    assert reviewing.reviews.get(1).status == ("rejected" if words == "skip" else "deployed")
    (written,) = reviewing.reviews.answers(reviewing.reviews.get(1).id)
    assert (written.by, written.words, written.outcome, written.done) == ("ada", words, said, True)
    assert written.shown == reviewing.reviews.get(1).shown


def test_delivered_twice(reviewing: Reviewing) -> None:
    """The same message again is told the same, and does nothing; another one comes too late."""
    first = reviewing.answer(1, "deploy 1", "ada", name="slack-7")
    assert reviewing.answer(1, "deploy 1", "ada", name="slack-7") == first
    assert done(reviewing) == ["p1"]
    with pytest.raises(UsageError, match="review 1 is deployed"):
        reviewing.answer(1, "deploy 2", "bob")
    assert done(reviewing) == ["p1"]


def test_what_has_changed_is_void(reviewing: Reviewing) -> None:
    """A patch that is not what was shown, or is refused, is left out, and the others go on."""
    assert isinstance(reviewing.deploying, Deployed)
    reviewing.deploying.patches["p1"] = patch("p1", after="something else")
    reviewing.deploying.patches["p2"] = patch("p2", why="unsafe")
    said = reviewing.answer(1, "deploy all", "ada")
    assert said == "1. not deployed: it is not what was shown any more\n2. not deployed: it is not safe"


def test_bound_to_what_was_shown_and_to_a_time(reviewing: Reviewing) -> None:
    """Who saw something else, or comes after its time, changes nothing."""
    with pytest.raises(UsageError, match="not what was shown"):
        reviewing.answer(1, "deploy all", "ada", shown="0" * 64)
    late = dataclasses.replace(reviewing, now=lambda: "2026-11-18T06:00:00.000Z")
    with pytest.raises(UsageError, match="review 1 is expired"):
        late.answer(1, "deploy all", "ada")
    assert done(reviewing) == []


def test_an_item_that_is_not_there(reviewing: Reviewing) -> None:
    """Nothing of an answer is done that names an item which does not exist."""
    with pytest.raises(UsageError, match="no item 9"):
        reviewing.answer(1, "deploy 1, 9", "ada")
    assert (done(reviewing), reviewing.reviews.get(1).status) == ([], "pending")


def test_what_changes_no_review(reviewing: Reviewing) -> None:
    """To look, to ask and to be misunderstood leaves it open."""
    shown = reviewing.answer(1, "show me item 1", "ada")
    assert "-old line\n+new p1" in shown
    assert "prompt_change of worker/docs" in shown
    assert reviewing.answer(1, "tell me more about item 2", "ada") == "2. title 2\nall of k"
    assert reviewing.answer(1, "roll back worker/docs", "ada") == "rolled back worker/docs: answer to review 1"
    assert reviewing.answer(1, "thumbs down 01a1e4d4", "ada") == "01a1e4d4 False ada"
    assert reviewing.answer(1, "run optimization", "ada") == "begun"
    assert "deploy 3 now" in reviewing.answer(1, "make it so", "ada")
    assert reviewing.reviews.get(1).status == "pending"
    assert reviewing.finish() == []


def test_a_word_that_is_delivered_twice(reviewing: Reviewing) -> None:
    """What ends no review is done once as well: a rollback that comes twice goes back one step."""
    said = reviewing.answer(1, "roll back worker/docs", "ada", name="m1")
    assert reviewing.answer(1, "roll back worker/planner", "ada", name="m1") == said


def test_who_died_over_an_answer(reviewing: Reviewing) -> None:
    """What was answered and not done is done by whoever comes next, once."""
    review = reviewing.reviews.get(1)
    reviewing.answer(1, "deploy all", "ada", name="a")
    with reviewing.reviews._database.write() as connection:
        connection.exec_driver_sql("UPDATE said SET done = 0, outcome = ''")
    assert reviewing.finish() == ["1. is in use already\n2. is in use already"]
    assert reviewing.finish() == []
    assert reviewing.reviews.answers(review.id)[0].done
