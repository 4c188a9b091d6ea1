"""Failures, post-mortems and what they ask for, in their tables."""

from __future__ import annotations

import dataclasses
import threading
from typing import Any

from failed_runs import at, failure
from loopwright.diagnose.linking import links_of, links_of_postmortem
from loopwright.records.graph import Graph
from loopwright.records.identity import new_id
from loopwright.records.postmortem import Candidate, Happening, PostMortem, Remediation
from loopwright.records.qa_failure import Analysed, Classification, QAFailure
from loopwright.records.run import Reason, Status
from loopwright.store import Store, open_store

from .samples import kinds, make_run, make_step


def ran(store: Store, **changes: Any) -> str:
    run = make_run(status=Status.FAILED, reason=Reason.CRITERIA_UNMET, ended_at=at(50), **changes)
    store.add_run(run, make_step(run))
    return run.id


def save(store: Store, run_id: str, *found: QAFailure, per_patch: int = 5) -> list[str]:
    step = Classification(run_id, f"step {run_id}", 1, "Fix it", "implementation", 0.5, "so")
    links = links_of(found, at(1))
    return list(store.failures.save(Analysed(run_id, at(50), found, [step]), links, per_patch))


def test_what_is_written_is_read(store: Store) -> None:
    """A run's failures and steps come back as they were; another look replaces them, and patches stay."""
    run_id = ran(store)
    assert store.failures.analysed(run_id) is None
    first, second = failure(run_id, 1, description="it \0 \ud800 says"), failure(run_id, 2)
    save(store, run_id, first, second)
    found = store.failures.analysed(run_id)
    assert found is not None
    assert found.failures == [dataclasses.replace(first, description="it ␀ \ufffd says"), second]
    assert [step.kind for step in found.steps] == ["implementation"]
    store.failures.answer(first.root, "patch-1")
    save(store, run_id, first)
    again = store.failures.analysed(run_id)
    assert again is not None
    assert [(one.id, one.patch) for one in again.failures] == [(first.id, "patch-1")]
    assert [one.id for one in store.failures.named(first.id[:6])] == [first.id]
    assert not store.graph.walk([f"failure {second.id}"]).nodes


def test_enough_failures_of_one_root_ask_once(store: Store) -> None:
    """The fifth run of one root asks for a patch, with all behind it; neither the same run again nor a sixth asks."""
    run_ids = [ran(store) for _ in range(6)]
    asked = [save(store, run_id, failure(run_id), failure(run_id, 2)) for run_id in run_ids[:4]]
    assert asked == [[], [], [], []]
    assert save(store, run_ids[3], failure(run_ids[3])) == []
    root = "code_bug/regression in worker/bug_fix"
    assert save(store, run_ids[4], failure(run_ids[4], 9)) == [root]
    assert save(store, run_ids[4], failure(run_ids[4], 9)) == []
    assert save(store, run_ids[5], failure(run_ids[5])) == []
    (wanted,) = store.failures.wanted()
    assert (wanted.root, wanted.cause, wanted.route, wanted.target) == (root, "code_bug", "logged", "worker/bug_fix")
    assert (wanted.runs[0], set(wanted.runs), len(wanted.failures)) == (run_ids[4], set(run_ids[:5]), 5)
    assert len(store.failures.by_root(root)) == 9


def test_an_answer_ends_the_asking(store: Store) -> None:
    """What a patch answers is not asked for any more, and can be seen among all."""
    run_id = ran(store)
    (root,) = save(store, run_id, failure(run_id), per_patch=1)
    store.failures.answer(root, "patch-1")
    assert store.failures.wanted() == []
    assert [one.patch for one in store.failures.wanted(answered=True)] == ["patch-1"]
    assert [one.patch for one in store.failures.by_root(root)] == ["patch-1"]


def test_who_asks_for_nothing(store: Store) -> None:
    """Failures that nobody understands, and trials of experiments, ask for no patch."""
    for _ in range(3):
        run_id = ran(store)
        assert save(store, run_id, failure(run_id, cause="novel", detail="lost"), per_patch=2) == []
        assert save(store, run_id, failure(run_id, trial=True), per_patch=2) == []


def test_many_at_once_ask_once(place: str) -> None:
    """Runs that end at the same time ask for one patch together."""
    with open_store(place, kinds) as store:
        run_ids = [ran(store) for _ in range(6)]
        asked: list[list[str]] = []
        threads = [
            threading.Thread(target=lambda name=name: asked.append(save(store, name, failure(name), per_patch=3)))
            for name in run_ids
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sum(map(len, asked)) == 1
        assert len(store.failures.wanted()) == 1


def test_how_often_others_failed_so(store: Store) -> None:
    """Other runs are counted by root, each once, without the one that is asked about."""
    first, second, third = (ran(store) for _ in range(3))
    for run_id in (first, second, third):
        save(store, run_id, failure(run_id), failure(run_id, 2))
    assert store.failures.seen(first) == {"code_bug/regression in worker/bug_fix": 2}


def test_runs_that_have_ended(store: Store) -> None:
    """Only ours, and only those that came to an end."""
    ours = ran(store)
    ran(store, source="codex")
    running = make_run()
    store.add_run(running, make_step(running))
    assert store.failures.ended() == [ours]


def written(run_id: str, **changes: Any) -> PostMortem:
    told = failure(run_id).likely
    given: dict[str, Any] = {
        "triggers": ["escalated"],
        "title": "Run x",
        "timeline": [Happening(at(1), "begins", "the run")],
        "candidates": [Candidate(told, 0.6, ["so"])],
        "unexplained": 0.4,
        "failure_class": "one_off",
        "because": "so",
        "remediations": [Remediation("immediate", "look", told.name)],
        "failures": ["f"],
    }
    return PostMortem(run_id, at(50), at(55), **(given | changes))


def test_a_postmortem_is_kept(store: Store) -> None:
    """It comes back as it was; another one takes its place, with its links."""
    run_id = ran(store)
    assert store.failures.postmortem(run_id) is None
    first, second = written(run_id), written(run_id, candidates=[], title="Run y")
    store.failures.save_postmortem(first, links_of_postmortem(first, "worker/docs"))
    assert store.failures.postmortem(run_id) == first
    save(store, run_id, failure(run_id))
    assert len(store.graph.walk([f"failure {run_id}"]).nodes) > 1
    store.failures.save_postmortem(second, links_of_postmortem(second, "worker/docs"))
    assert store.failures.postmortem(run_id) == second
    assert len(store.graph.walk([f"failure {run_id}"]).nodes) == 1


def test_a_run_that_is_brought_in_again(store: Store) -> None:
    """What was found in a run goes when its record is replaced."""
    run_id = ran(store)
    save(store, run_id, failure(run_id))
    store.failures.save_postmortem(written(run_id), Graph())
    store.recorded.bring(store.recorded.bundle(run_id), replace=True)
    assert store.failures.analysed(run_id) is None
    assert store.failures.postmortem(run_id) is None
    assert store.failures.by_root("code_bug/regression in worker/bug_fix") == []
    assert new_id() not in store.failures.seen("")
