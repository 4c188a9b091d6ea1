"""The critic of a run: when it is asked, what it stops, and what is said of that."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from loopwright import FileCriteria, Task
from loopwright.errors import ModelError, SettingError
from loopwright.measure.critiquing import Critiquing
from loopwright.models.scripted import Scripted
from loopwright.ports import Model, Watcher
from loopwright.records.bundle import Bundle
from loopwright.records.check import Verdict
from loopwright.records.evaluation import Evaluation, ItemResult
from loopwright.records.event import Event, EventKind
from loopwright.records.rubric import Item, Rubric
from loopwright.records.run import Reason, Run, Status
from loopwright.registry import kinds
from loopwright.run.criteria.test import TestCriteria
from loopwright.run.gate import Gate, check_rubric, guarded, rubric_of
from loopwright.run.recorder import Recorder
from loopwright.store.opening import open_store
from loopwright.store.store import Store
from loopwright.watching import Nobody
from store.samples import AT, make_check, make_run, make_step

MISSING = ItemResult("a note", 0.0, False, "not in the diff")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "store.sqlite", kinds) as opened:
        yield opened


def a_run(store: Store, **changes: Any) -> Run:
    task = Task("x", [FileCriteria("a")], task_type="chore", critic=changes.pop("critic", "gate"))
    run = make_run(task=task, **changes)
    store.add_run(run, make_step(run))
    return run


class Watching(Nobody):
    """Somebody who reads along."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def event(self, run: Run, event: Event) -> None:
        self.seen.append(event.text)


def gate(store: Store, run: Run, *views: bool | Exception | None, watcher: Watcher | None = None) -> Gate:
    """Give a gate whose critic thinks one thing after the other."""
    left = list(views)

    def critique(judged: Run) -> Evaluation:
        view = left.pop(0)
        if isinstance(view, Exception):
            raise view
        reason = {True: "all holds", False: "a note: not in the diff", None: "not decided: so (no model)"}[view]
        items = (MISSING,) if view is False else ()
        told: dict[str, Any] = {"passed": view, "score": 4.0, "reason": reason, "rubric": "chore 1", "items": items}
        return Evaluation(f"e{len(left)}", judged.id, AT, "chore", **told)

    return Gate(critique, run, store, Recorder(store, run, watcher or Nobody()))


def test_what_it_stops(store: Store) -> None:
    """Work that passes is not stopped; what fails is sent back, and what nobody can decide is for a human."""
    run = a_run(store)
    made = gate(store, run, True, False, None, ModelError("it sleeps", "wake it"))
    assert made.stops(run) is None
    assert made.stops(run) == (Reason.REJECTED, "a note: not in the diff")
    could_not = "all criteria hold, and the critic could not decide: "
    assert made.stops(run) == (Reason.UNVERIFIABLE, f"{could_not}not decided: so (no model)")
    assert made.stops(run) == (Reason.UNVERIFIABLE, f"{could_not}it sleeps")
    events = [event for event in store.events(run.id) if event.kind is EventKind.VERDICT]
    assert [event.text for event in events][1] == "critic: fail, 4.00 of 10 by chore 1: a note: not in the diff"
    assert [event.data["verdict"] for event in events] == ["pass", "fail", "unverifiable"]


def test_what_is_said_of_it(store: Store) -> None:
    """The agent gets each objection in a line, people one sentence; nobody where criteria do not hold."""
    run = a_run(store)
    made, holds = gate(store, run, False), [make_check(run.id, 1)]
    assert (made.feedback(holds), made.objection(holds)) == ("", "")
    made.stops(run)
    assert made.feedback(holds) == "4.00 of 10 by the rubric chore 1\n- a note: not in the diff"
    told = "all criteria hold, but the critic did not accept it: 4.00 of 10 by the rubric chore 1: a note: not in the"
    assert made.objection(holds).startswith(told)
    fails = [*holds, make_check(run.id, 2, Verdict.FAIL)]
    assert (made.feedback(fails), made.objection(fails), made.objection([])) == ("", "", "")
    resumed = gate(store, run)
    assert resumed.objection(holds) == made.objection(holds)


def test_where_it_only_advises(store: Store) -> None:
    """It stops nothing, says nothing, and is asked once at the end; `off` asks nobody."""
    run = a_run(store, critic="advise", commit="c", status=Status.DONE)
    made = gate(store, run, False)
    assert made.stops(run) is None
    made.close(run)
    assert made.objection([make_check(run.id, 1)]) == ""
    assert len(store.evaluations(run.id)) == 1
    off = a_run(store, critic="off", status=Status.DONE)
    gate(store, off).close(off)
    assert not store.evaluations(off.id)


def test_another_rubric_than_before_is_noted(store: Store) -> None:
    """Who takes a run up with a rubric that was changed meanwhile is told so."""
    run, watcher = a_run(store), Watching()
    store.add_evaluation(Evaluation("e", run.id, AT, "chore", passed=False, rubric="chore 1", rubric_hash="other"))
    gate(store, run, True, watcher=watcher).stops(run)
    assert watcher.seen[0] == "the rubric chore 1 is not as it was when this run was judged before"
    assert len(watcher.seen) == 2


def test_the_end_is_judged_once(store: Store) -> None:
    """A commit that was judged is not judged again, nor is a run that was cancelled or had nothing to do."""
    run = a_run(store, commit="c", status=Status.DONE)
    made = gate(store, run, True)
    made.stops(run)
    made.close(run)
    for ended in ({"status": Status.CANCELLED}, {"status": Status.DONE, "reason": Reason.ALREADY_MET}):
        gate(store, run).close(a_run(store, **ended))
    assert len(store.evaluations(run.id)) == 1


def test_a_critic_that_fails_at_the_end_is_a_note(store: Store) -> None:
    """Whatever goes wrong, the run has ended as it has."""
    run = a_run(store, critic="advise", status=Status.DONE)
    watcher = Watching()
    gate(store, run, ValueError("oh"), watcher=watcher).close(run)
    assert watcher.seen == ["the critic could not judge the work: oh"]


def test_what_is_protected(tmp_path: Path) -> None:
    """All rubrics of the repository are protected in every run, and what the criteria of one run that decides."""
    rubric = Rubric("r", 1, [Item("tidy", criterion=TestCriteria("sh tidy.sh"))])
    critic = a_critic(rubric, tmp_path / "a" / ".." / "rubrics" / "r.toml", tmp_path / "home" / "rubrics")
    own = ("ci/**", "/rubrics/r.toml", "/home/rubrics/**")
    for mode, criteria in (("gate", 2), ("advise", 1), ("off", 1)):
        task = Task("x", [FileCriteria("a")], critic=mode, protect=["ci/**"])
        made = guarded(task, rubric, critic, tmp_path)
        assert (made.protect, len(made.criteria)) == (own, criteria)
        assert guarded(task, None, critic, tmp_path / "elsewhere") == guarded(task, None, None, tmp_path) == task


def a_critic(rubric: Rubric, *files: Path, model: Model | None = None) -> Critiquing:
    return Critiquing(Unread(), lambda task_type: rubric, model, rubric_files=files)


class Unread:
    """A store that nobody reads."""

    def bundle(self, run_id: str, *, events: bool = True) -> Bundle:
        raise AssertionError(run_id)


def test_a_gate_that_nobody_could_open_is_refused(tmp_path: Path) -> None:
    """A rubric with questions is a gate only where there is a model; it may always advise."""
    asks = Rubric("r", 1, [Item("so", question="Is it?", anchors={"0": "no line", "10": "a line"})])
    checks = Rubric("r", 1, [Item("all", check="criteria")])
    task, advised = (Task("x", [FileCriteria("a")], critic=mode) for mode in ("gate", "advise"))
    with pytest.raises(SettingError, match="the rubric `r 1` is a gate with questions, and no model answers them"):
        check_rubric(a_critic(asks), task)
    check_rubric(a_critic(asks), advised)
    check_rubric(a_critic(checks), task)
    (tmp_path / "answers.json").write_text('{"answers": []}')
    check_rubric(a_critic(asks, model=Scripted(str(tmp_path / "answers.json"))), task)


def test_nobody_reads_a_rubric_for_nobody() -> None:
    """Without a critic there is no rubric."""
    assert rubric_of(None, Task("x", [FileCriteria("a")])) is None
