"""Runs in the store -> what a critic thinks of them. Satisfies ports.Critic, and writes nothing."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from loopwright.measure.critic import critique
from loopwright.ports import Model
from loopwright.records.bundle import Bundle
from loopwright.records.criterion import Criterion
from loopwright.records.evaluation import Evaluation
from loopwright.records.rubric import Rubric
from loopwright.records.run import Run
from loopwright.records.task import Task


class BundleStore(Protocol):
    """Where a run is read in one piece."""

    def bundle(self, run_id: str, *, events: bool = True) -> Bundle: ...


@dataclass(frozen=True)
class Critiquing:
    """Judges runs, each by the rubric of its task type."""

    store: BundleStore
    rubric_of: Callable[[str], Rubric]
    """By task type."""
    model: Model | None = None
    """Who answers questions."""

    def criteria(self, task: Task) -> Sequence[Criterion]:
        return self.rubric_of(task.task_type).criteria

    def critique(self, run: Run, diff: str, rubric: Rubric | None = None) -> Evaluation:
        """Judge a run as it is given, by its rubric or another."""
        bundle = dataclasses.replace(self.store.bundle(run.id, events=False), run=run, diff=diff)
        return critique(bundle, rubric or self.rubric_of(run.task.task_type), self.model)
