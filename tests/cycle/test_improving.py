"""The daily loop on a store: what is put before a human, and what begins by itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from cycle.patched import TARGET, deploying_on, patching_on, ran
from loopwright.cycle.answering import Answering
from loopwright.cycle.improving import Improving
from loopwright.errors import UsageError
from loopwright.guard.guardrails import Autonomy
from loopwright.registry import kinds
from loopwright.store import Store, open_store
from trials import BETTER, live_pairs


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "store.sqlite", kinds) as opened:
        for _ in range(20):
            ran(opened, "context_thrashing")
        yield opened


def improving_on(store: Store, autonomy: Autonomy = "suggest", said: list[str] | None = None) -> Improving:
    patching = patching_on(store, autonomy)
    told = (said if said is not None else []).append
    begun = (patching.diagnosing, patching, deploying_on(patching), store.reviews, store.watches)
    return Improving(*begun, autonomy, told)


def test_suggest_begins_nothing(store: Store) -> None:
    """By default a review is all that comes of it; its item says that nothing was tested."""
    review = improving_on(store).review(hours=1e6)
    items = [item for item in review.items if item.is_deployable]
    assert [item.proof for item in items] == ["untested"]
    assert store.experiments.all() == []


def test_approve_begins_experiments(store: Store) -> None:
    """They begin by themselves; a release needs a yes; what is ahead is called promising, then proven."""
    improving = improving_on(store, "approve")
    review = improving.review(hours=1e6)
    assert [one.status for one, _ in store.experiments.all()] == ["running"]
    live_pairs(improving.deploying.proving, [(False, True)] * 10)
    (item,) = [item for item in improving.review(hours=1e6).items if item.is_deployable]
    assert item.proof == "promising"
    live_pairs(improving.deploying.proving, BETTER[:20])
    (item,) = [item for item in improving.review(hours=1e6).items if item.is_deployable]
    assert (item.proof, item.patch) == ("proven", review.items[item.number - 1].patch)
    assert improving.deploying.library.titles(TARGET) == []


def test_rolled_back_by_a_word(store: Store) -> None:
    """What the last deployed review released is taken back; where nothing was, that is said."""
    improving = improving_on(store)
    answering = Answering(improving.deploying, store.findings, store.reviews, lambda *_: "", lambda: "")
    with pytest.raises(UsageError, match="no review has released anything"):
        answering.roll_back("", "ada", "x")
    with pytest.raises(UsageError, match="nothing is known"):
        answering.more("nobody/knows")
    review = improving.review(hours=1e6)
    (item,) = [item for item in review.items if item.is_deployable]
    answering.deploy(answering.patch(item.patch), "ada", now=True)
    assert answering.roll_back(TARGET, "ada", "x") == f"profile {TARGET}@2 was rolled back to @1"
    assert "% sure" in answering.more(item.finding)
