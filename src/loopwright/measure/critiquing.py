"""Runs in the store -> what a critic thinks of them. Satisfies ports.Critic, and writes nothing."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from loopwright.measure.critic import critique
from loopwright.ports import Model
from loopwright.records.bundle import Bundle
from loopwright.records.evaluation import Evaluation
from loopwright.records.rubric import Rubric
from loopwright.records.run import Run


class BundleStore(Protocol):
    """Where a run is read in one piece."""

    def bundle(self, run_id: str, *, events: bool = True) -> Bundle: ...


@dataclass(frozen=True)
class Critiquing:
    """Judges runs by rubrics."""

    store: BundleStore
    rubric_of: Callable[[str], Rubric]
    """By task type."""
    model: Model | None = None
    """Who answers questions."""
    guidance: Callable[[str], str] = lambda task_type: ""
    """What they are told, by task type."""
    rubric_files: Sequence[Path] = ()
    """Where rubrics of the project's own are, or may come to be: files and folders."""

    @property
    def answers(self) -> bool:
        """Whether there is somebody to answer questions."""
        return self.model is not None

    def critique(self, run: Run, diff: str, rubric: Rubric) -> Evaluation:
        """Judge a run as it is given."""
        bundle = dataclasses.replace(self.store.bundle(run.id, events=False), run=run, diff=diff)
        return critique(bundle, rubric, self.model, self.guidance(run.task.task_type))
