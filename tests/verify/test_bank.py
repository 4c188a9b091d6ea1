"""Finished runs -> the task bank."""

from __future__ import annotations

import dataclasses

from loopwright import FileCriteria, Task
from loopwright.records.profile import Profile
from loopwright.records.run import Reason, Status
from loopwright.verify.bank import bank, half_of, shuffled, unit_of
from trials import finished


def test_each_task_once_with_its_newest_run() -> None:
    """The same goal, base and criteria are one task; another base or criterion makes another."""
    newest, oldest = finished("a", status=Status.FAILED), finished("a")
    other = finished("a", base="1" * 40)
    criterion = dataclasses.replace(newest, id="x", task=Task("a", [FileCriteria("other")]))
    found = bank([newest, oldest, other, criterion])
    assert [(one.run_id, one.passed) for one in found] == [(newest.id, False), (other.id, True), ("x", False)]
    assert found[0].task.base == newest.base


def test_what_is_no_task_to_do_again() -> None:
    """Runs that are not finished, had nothing to do, could not be judged or ran elsewhere are left out."""
    none = [
        finished("a", status=Status.CANCELLED),
        finished("b", status=Status.RUNNING),
        finished("c", reason=Reason.ALREADY_MET),
        finished("d", status=Status.FAILED, reason=Reason.UNVERIFIABLE),
        finished("e", source="claude"),
    ]
    assert bank(none) == []


def test_a_run_that_was_no_trial_comes_first() -> None:
    """A task that was only ever a trial is in the bank; where it was also done without, that is its run."""
    trial, plain = finished("a", profile=Profile(trial="t")), finished("a")
    assert [one.run_id for one in bank([trial, plain])] == [plain.id]
    assert [one.run_id for one in bank([trial])] == [trial.id]


def test_halves_are_for_good() -> None:
    """About half of the tasks are held out, by their own hash alone."""
    units = [unit_of(Task(f"task {number}", [FileCriteria("new")]), "0" * 40) for number in range(1000)]
    assert 440 < sum(half_of(unit) == "held_out" for unit in units) < 560
    assert [half_of(unit) for unit in units] == [half_of(unit) for unit in units]
    runs = [finished(f"task {number}") for number in range(20)]
    assert [one.half for one in bank(runs)] == [half_of(one.unit) for one in bank(reversed(runs))][::-1]


def test_another_experiment_takes_another_order() -> None:
    """The order is the same for one name, and another for another; nothing is lost."""
    tasks = bank([finished(f"task {number}") for number in range(30)])
    assert shuffled(tasks, "e1") == shuffled(tasks[::-1], "e1") != shuffled(tasks, "e2")
    assert {one.unit for one in shuffled(tasks, "e1")} == {one.unit for one in tasks}
