"""Bank tasks + two arms -> pairs of runs: each task done by both, in a random order, until the evidence decides."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from itertools import count, islice
from typing import Protocol

from loopwright.records.bank import BankTask
from loopwright.records.environment import Environment
from loopwright.records.experiment import PROFILE, ArmName, Experiment, Trial
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

    def begin(self, pair: Sequence[Trial]) -> Sequence[Trial]:
        """Write a pair's trials down; give those that are there, if somebody else has done so."""

    def run(self, task: BankTask, trial: Trial) -> Run: ...

    def environments(self, run: Run) -> Mapping[str, Environment]: ...

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
    is_whole: bool = False
    """Whether all pairs that were asked for are done."""
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def go(self, tasks: Sequence[BankTask], pairs: int | None = None) -> Experiment:
        """Do so many pairs, each task once where no number is given, or as many as it takes to decide."""
        todo, self.is_whole = self._blocks(tasks, pairs), True
        with ThreadPoolExecutor(self.parallel) as pool:
            at_work: set[Future[None]] = set()
            for task, trials in todo:  # the next task is looked at while pairs are at work
                while len(at_work) >= self.parallel:
                    at_work = self._wait(at_work)
                if self._is_over():
                    self.is_whole = False
                    break
                at_work.add(pool.submit(self._pair, task, trials))
            while at_work:
                at_work = self._wait(at_work)
        self.is_whole = self.is_whole and not self.cancel.is_set()
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

    def _blocks(self, tasks: Sequence[BankTask], pairs: int | None) -> Iterator[tuple[BankTask, list[Trial]]]:
        """Give the pairs in rounds, so that no task counts more than once more often than another."""
        known = {(trial.block, trial.arm): trial for trial in self.stage.trials(self.experiment)}
        places = self._places(tasks, {block for block, _ in known}, pairs is None)
        for task, block in islice(places, pairs):
            trials = [known.get((block, arm)) or self._trial(task, arm, block) for arm in _ARMS]
            if not all(trial.delivered_at for trial in trials):
                yield task, trials

    def _places(self, tasks: Sequence[BankTask], known: Set[str], once: bool) -> Iterator[tuple[BankTask, str]]:
        """Give all pairs that could be, round by round; a task that is new is looked at before its first one."""
        usable: list[BankTask] = []
        for task in tasks:
            block = _block(task, 0)
            if block in known or self._is_sound(task):
                usable.append(task)
                yield task, block
        for number in count(1) if usable and not once else ():
            yield from ((task, _block(task, number)) for task in usable)

    def _is_sound(self, task: BankTask) -> bool:
        doubt = self.stage.doubt(task)
        if doubt:
            self.doubts[task.unit] = doubt
            self.told(f"left out: {_title(task)}: {doubt}")
        return not doubt

    def _trial(self, task: BankTask, arm: ArmName, block: str) -> Trial:
        return Trial(new_id(), self.experiment.id, task.unit, arm, task.task_type, block, "replay", timestamp())

    def _pair(self, task: BankTask, trials: list[Trial]) -> None:
        trials = list(self.stage.begin(trials))
        if all(trial.delivered_at for trial in trials):  # by somebody who replays the same experiment
            return
        order = trials if bucket(self.experiment.id, trials[0].block, "order") < 0.5 else trials[::-1]
        runs = {}
        for trial in order:
            if self.cancel.is_set():
                return
            runs[trial.arm] = run = self.stage.run(task, trial)
            with self._lock:
                self.spent_usd += run.spent.cost_usd
        if self.cancel.is_set():
            return
        why = self._unequal(runs["A"], runs["B"])
        if why:
            self.told(f"left out: {_title(task)}: {why}")
        for run in runs.values():
            with self._lock:
                self.experiment = self.stage.deliver(run, why)
        words = {arm: "passed" if run.status == "done" else str(run.status) for arm, run in runs.items()}
        self.told(f"{_title(task)}: A {words['A']}, B {words['B']}")

    def _unequal(self, a: Run, b: Run) -> str:
        """Say what else differs between the two runs than what is compared."""
        first, second = self.stage.environments(a), self.stage.environments(b)
        if not first or not second:
            return "" if first == second else "only one of the two had anything to do"
        found = [name for role in first if role in second for name in self._differing(first[role], second[role])]
        return f"the two ran in different surroundings: {', '.join(dict.fromkeys(found))}" if found else ""

    def _differing(self, first: Environment, second: Environment) -> list[str]:
        compared = self.experiment.parameter
        names = [*_SAME, *(("agent_version",) if first.agent == second.agent else ())]
        names += [] if compared in ("agent", PROFILE) else ["agent"]
        names += [] if compared in ("agent", "model", PROFILE) else ["model"]
        return [name for name in names if getattr(first, name) != getattr(second, name)]


def _block(task: BankTask, number: int) -> str:
    return f"replay/{task.unit[:16]}/{number}"


def _title(task: BankTask) -> str:
    return (task.task.goal.strip().splitlines() or [""])[0][:60]
