"""Finished runs -> the task bank: each task once, split in two halves for good."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence

from loopwright.records.bank import BankTask, Half
from loopwright.records.identity import canonical_hash
from loopwright.records.run import Run
from loopwright.records.task import Task
from loopwright.verify.assign import bucket


def unit_of(task: Task, base: str) -> str:
    """Name a task, whenever it comes: its goal, the commit it starts from, how one knows that it is done."""
    criteria = [criterion.hash for criterion in task.criteria]
    return canonical_hash({"goal": task.goal, "base": base, "criteria": criteria})


def half_of(unit: str) -> Half:
    """Say to which half a task belongs."""
    return "development" if bucket("bank", unit) < 0.5 else "held_out"


def bank(runs: Iterable[Run]) -> list[BankTask]:
    """Put the tasks of finished runs into a list, each with its newest run, or the newest that was no trial."""
    ended = [run for run in runs if run.passed is not None and not run.shows_nothing and not run.source]
    found: dict[str, BankTask] = {}
    for run in sorted(ended, key=lambda run: bool(run.profile.trial)):
        unit = unit_of(run.task, run.base)
        if unit not in found:
            found[unit] = _banked(run, unit)
    return list(found.values())


def shuffled(tasks: Sequence[BankTask], name: str) -> list[BankTask]:
    """Put them in an order by a hash of who asks: always the same, and another one for another experiment."""
    return sorted(tasks, key=lambda one: bucket(name, one.unit, "sample"))


def _banked(run: Run, unit: str) -> BankTask:
    task = dataclasses.replace(run.task, base=run.base)
    spent = (run.spent.cost_usd, run.spent.seconds)
    return BankTask(unit, task, run.task.task_type, run.id, run.commit or "", bool(run.passed), *spent, half_of(unit))
