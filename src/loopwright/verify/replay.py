"""Bank tasks + two arms -> pairs of runs: each task done by both, in a random order, until the evidence decides."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import Protocol

from loopwright.records.bank import BankTask
from loopwright.records.environment import Environment
from loopwright.records.experiment import ArmName, Experiment, Trial
from loopwright.records.identity import new_id, timestamp
from loopwright.records.run import Run
from loopwright.verify.assign import bucket

_ARMS: tuple[ArmName, ArmName] = ("A", "B")
_SAME = ("platform", "interpreter", "lock_hash", "confined")


class Stage(Protocol):
    """What a replay needs of the rest: runs, and where it is written what came of them."""

    def doubt(self, task: BankTask) -> str:
        """Say why a task can't be done again; empty where it can."""

    def trials(self, experiment: Experiment) -> Sequence[Trial]: ...

    def begin(self, pair: Sequence[Trial]) -> None: ...

    def run(self, task: BankTask, trial: Trial) -> Run: ...

    def environment(self, run: Run) -> Environment | None: ...

    def deliver(self, run: Run, left_out: str) -> Experiment: ...


@dataclass
class Replay:
    """One experiment's pairs on the bank."""

    experiment: Experiment
    stage: Stage
    parallel: int = 1
    most_usd: float | None = None
    cancel: threading.Event = field(default_factory=threading.Event)
    told: Callable[[str], None] = lambda text: None
    spent_usd: float = 0.0
    doubts: dict[str, str] = field(default_factory=dict)
    """Task -> why it was left out."""

    def go(self, tasks: Sequence[BankTask], pairs: int) -> Experiment:
        """Do so many pairs, or as many as it takes to decide; give the experiment as it is then."""
        todo = self._blocks(tasks, pairs)
        with ThreadPoolExecutor(self.parallel) as pool:
            at_work: set[Future[None]] = set()
            for task, trials in todo:
                if self._is_over():
                    break
                at_work.add(pool.submit(self._pair, task, trials))
                if len(at_work) >= self.parallel:
                    at_work = self._wait(at_work)
            while at_work:
                at_work = self._wait(at_work)
        return self.experiment

    def _wait(self, at_work: set[Future[None]]) -> set[Future[None]]:
        done, rest = wait(at_work, return_when=FIRST_COMPLETED)
        for one in done:
            one.result()
        return rest

    def _is_over(self) -> bool:
        if self.most_usd is not None and self.spent_usd >= self.most_usd:
            self.told(f"the cap of ${self.most_usd:g} is reached")
            return True
        return self.cancel.is_set() or self.experiment.status != "running"

    def _blocks(self, tasks: Sequence[BankTask], pairs: int) -> Iterator[tuple[BankTask, list[Trial]]]:
        """Give the pairs in rounds, so that no task counts more than once more often than another."""
        known = {(trial.block, trial.arm): trial for trial in self.stage.trials(self.experiment)}
        usable, given, number = list(tasks), 0, 0
        while usable and given < pairs:
            for task in list(usable):
                if given >= pairs:
                    return
                if not number and (doubt := self.stage.doubt(task)):
                    self.doubts[task.unit] = doubt
                    self.told(f"left out: {task.task.goal.splitlines()[0][:60]}: {doubt}")
                    usable.remove(task)
                    continue
                block = f"replay/{task.unit[:16]}/{number}"
                trials = [known.get((block, arm)) or self._trial(task, arm, block) for arm in _ARMS]
                given += 1
                if not all(trial.delivered_at for trial in trials):
                    yield task, trials
            number += 1

    def _trial(self, task: BankTask, arm: ArmName, block: str) -> Trial:
        return Trial(new_id(), self.experiment.id, task.unit, arm, task.task_type, block, "replay", timestamp())

    def _pair(self, task: BankTask, trials: list[Trial]) -> None:
        self.stage.begin(trials)
        order = trials if bucket(self.experiment.id, trials[0].block, "order") < 0.5 else trials[::-1]
        runs = {}
        for trial in order:
            if self.cancel.is_set():
                return
            runs[trial.arm] = run = self.stage.run(task, trial)
            self.spent_usd += run.spent.cost_usd
        if self.cancel.is_set():
            return
        why = self._unequal(runs["A"], runs["B"])
        if why:
            self.told(f"left out: {task.task.goal.splitlines()[0][:60]}: {why}")
        for run in runs.values():
            self.experiment = self.stage.deliver(run, why)
        words = {arm: "passed" if run.status == "done" else str(run.status) for arm, run in runs.items()}
        self.told(f"{task.task.goal.splitlines()[0][:60]}: A {words['A']}, B {words['B']}")

    def _unequal(self, a: Run, b: Run) -> str:
        """Say what else differs between the two runs than what is compared."""
        first, second = self.stage.environment(a), self.stage.environment(b)
        if first is None or second is None:
            return "" if first is second else "only one of the two had anything to do"
        names = [*_SAME, *(("agent_version",) if first.agent == second.agent else ())]
        if self.experiment.parameter not in ("model", "agent", "profile"):
            names += ["agent", "model"]
        found = [name for name in names if getattr(first, name) != getattr(second, name)]
        return f"the two ran in different surroundings: {', '.join(found)}" if found else ""
