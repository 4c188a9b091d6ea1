"""Evaluations come back as they were, on both databases."""

from __future__ import annotations

from loopwright.records.evaluation import Evaluation, ItemResult
from loopwright.store.store import Store
from store.samples import AT, make_run, make_step


def test_an_evaluation_comes_back_as_it_was(store: Store) -> None:
    """With every field, and written again under the same id: one row, the newer one."""
    run = make_run()
    store.add_run(run, make_step(run))
    items = (ItemResult("a", 5.0, True, "so"), ItemResult("b", None, None, "?", 2.0, True, "question"))
    full = Evaluation(
        "e", run.id, AT, "docs", "p1", False, 6.67, "because\0", "out", "critic", "docs 1", "h" * 64, items, "m", 0.25
    )
    store.add_evaluation(Evaluation("e", run.id, AT, "docs"))
    assert store.evaluations(run.id)[0].items == ()
    store.add_evaluation(full)
    kept = store.evaluations(run.id)
    assert [one.items for one in kept] == [items]
    assert (kept[0].score, kept[0].passed, kept[0].reason, kept[0].cost_usd) == (6.67, False, "because␀", 0.25)
    assert store.sent.evaluations() == kept


def test_answers_and_the_cost_of_looks(store: Store) -> None:
    """An answer is there under its key and no other; what looks have cost is what was said last."""
    run = make_run()
    store.add_run(run, make_step(run))
    store.measured.keep_answer("k", "m", {"value": 5}, None)
    assert store.measured.answer("k") == {"value": 5}
    assert store.measured.answer("other") is None
    assert store.measured.spent_judging(run.id) == 0.0
    store.measured.save_judged(run.id, [], 0.02)
    store.measured.save_judged(run.id, [], 0.03)
    assert store.measured.spent_judging(run.id) == 0.03


def test_a_run_is_one_row_of_the_view(store: Store) -> None:
    """However often a run was judged, it is there once, as it was judged last."""
    first, second = make_run(), make_run()
    for run in (first, second):
        store.add_run(run, make_step(run))
    for identity, run, day, score in (
        ("c", first, 2, 1.0),
        ("a", first, 3, 2.0),
        ("b", first, 3, 3.0),
        ("d", second, 1, 4.0),
    ):
        store.add_evaluation(Evaluation(identity, run.id, f"2026-01-0{day}T00:00:00.000Z", "docs", score=score))
    assert sorted(row["score"] for row in store.view("agent_runs")) == [3.0, 4.0]
