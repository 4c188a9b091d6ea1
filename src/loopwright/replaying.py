"""A project -> what a replay needs: doubts, runs, their surroundings, and where it is written what came of them."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from loopwright.cycle.running import Cycle
from loopwright.errors import LoopwrightError
from loopwright.records.bank import BankTask
from loopwright.records.check import last_checks
from loopwright.records.environment import Environment
from loopwright.records.experiment import Experiment, Trial
from loopwright.records.run import Run
from loopwright.verify.bank import bank
from loopwright.wire import Project, make_proving


@dataclass(frozen=True)
class OnProject:
    """Replays in a repository, with its store. Satisfies verify.replay.Stage."""

    project: Project
    cycle: Cycle

    def bank(self) -> list[BankTask]:
        """Give all tasks that were finished in this repository."""
        root = str(self.project.repository.root)
        return bank(run for run in self.project.store.runs() if run.repository == root)

    def doubt(self, task: BankTask) -> str:
        """Judge what the task's own run left once more: who comes to something else can't be compared with it."""
        if not self.project.repository.holds(task.task.base):
            return "the commit that it starts from is gone"
        if any(check.flaky for check in last_checks(self.project.store.checks(task.run_id))):
            return "its checks are flaky"
        try:
            pairs = self.cycle.verify(task.run_id)
        except LoopwrightError as error:
            return error.message
        changed = [before.criterion for before, now in pairs if before.verdict != now.verdict]
        return f"its checks do not come to the same twice: {changed[0]}" if changed else ""

    def trials(self, experiment: Experiment) -> Sequence[Trial]:
        return self.project.store.experiments.trials(experiment.id)

    def begin(self, pair: Sequence[Trial]) -> Sequence[Trial]:
        return self.project.store.experiments.add_trials(pair)

    def run(self, task: BankTask, trial: Trial) -> Run:
        """Do the task in a fresh clone; nobody is asked where it fails."""
        again = dataclasses.replace(task.task, escalate_on_failure=False)
        result = self.cycle.run_task(again, self.project.profile_of(trial))
        return self.project.store.run(result.run_id)

    def environments(self, run: Run) -> Mapping[str, Environment]:
        """Give what was around the first attempt of each role: later ones may have changed it."""
        attempts = self.project.store.attempts(run.id)
        found: dict[str, Environment] = {attempt.role: attempt.environment for attempt in reversed(attempts)}
        if "reviewer" in found:  # it comes after the worker, whose work the lock files are
            found["reviewer"] = dataclasses.replace(found["reviewer"], lock_hash="")
        return found

    def deliver(self, run: Run, left_out: str) -> Experiment:
        proving = make_proving(self.project)
        return proving.deliver(run, proving.experiments.trial(run.profile.trial), left_out)
