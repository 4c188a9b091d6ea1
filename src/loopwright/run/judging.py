"""A commit -> all its checks: the visible criteria, the held-out ones once those hold, and the proof once all do."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from loopwright.records.check import Check
from loopwright.records.criterion import Criterion
from loopwright.records.environment import Environment
from loopwright.records.task import Task
from loopwright.run.disk import Disk
from loopwright.run.judge import Judge, Occasion
from loopwright.run.verdicts import all_hold, failed


@dataclass(frozen=True)
class Judging:
    """A judge at work on one task. What fails for want of room on the disk is judged once more."""

    judge: Judge
    task: Task
    disk: Disk
    besides: Sequence[Criterion] = ()
    """What a critic wants to have looked at, and decides nothing."""

    def base(self, surroundings: Environment) -> list[Check]:
        """Judge the base, before anything is spent."""
        return self._with_room(lambda: self.judge.preflight(self.task.required, surroundings))

    def commit(self, commit: str, occasion: Occasion) -> list[Check]:
        """Judge what an attempt left."""
        return self._with_room(lambda: self._judge(commit, occasion))

    def _judge(self, commit: str, occasion: Occasion) -> list[Check]:
        visible = [criterion for criterion in self.task.required if not criterion.held_out]
        hidden = [criterion for criterion in self.task.required if criterion.held_out]
        checks = self.judge.judge(visible, commit, occasion)
        if hidden and len(checks) == len(visible) and not failed(checks):
            checks += self.judge.judge(hidden, commit, occasion)
        if all_hold(checks, self.task):
            checks = self.judge.prove(self.task.required, checks)
            if self.judge.stop.is_set():
                return []  # a proof that was cut short is none: it is given when the run is taken up
        if all_hold(checks, self.task) and (advisory := self._advisory()):
            checks += self.judge.judge(advisory, commit, dataclasses.replace(occasion, advisory=True))
        return checks

    def _advisory(self) -> list[Criterion]:
        """Name what is looked at once all that decides holds: it may take time, or money."""
        known = {criterion.hash for criterion in self.task.required}
        wanted = [*(criterion for criterion in self.task.criteria if criterion.advisory), *self.besides]
        return [one for one in {one.hash: one for one in wanted}.values() if one.hash not in known]

    def _with_room(self, judge: Callable[[], list[Check]]) -> list[Check]:
        while True:
            checks = self.disk.through(judge)
            if not failed(checks) or not self.disk.short() or self.judge.stop.is_set():
                return checks
