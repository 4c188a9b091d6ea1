"""How long it takes to assign a task and to decide, with 100,000 trials in the store."""

from __future__ import annotations

import random
import statistics
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TypeVar

from loopwright.cycle.proposing import Proposal, create
from loopwright.cycle.proving import Proving
from loopwright.guard.redact import Masker
from loopwright.records.budget import Budget, Spent
from loopwright.records.experiment import Trial
from loopwright.records.identity import new_id, timestamp
from loopwright.records.profile import Profile
from loopwright.records.run import Run, Status
from loopwright.records.task import Task
from loopwright.registry import kinds
from loopwright.release.versions import Versions
from loopwright.run.criteria.file import FileCriteria
from loopwright.store.opening import open_store

T = TypeVar("T")
TRIALS, TIMES, BLOCK = 100_000, 200, 1000
ASSIGN_MS, DECIDE_MS = 1.0, 5.0


def measure() -> list[str]:
    with tempfile.TemporaryDirectory() as folder, closing(open_store(Path(folder) / "store.sqlite", kinds)) as store:
        proving = Proving(store.experiments, Versions(store.versions, Masker({})))
        wanted = Proposal("review", "self", task_types=["docs"], maximum=450)
        experiment = create(proving.experiments, proving.versions, wanted)
        for first in range(0, TRIALS, BLOCK):
            store.experiments.add_trials([_old(experiment.id, number) for number in range(first, first + BLOCK)])
        trials = [_timed(lambda: proving.assign(new_id(), "docs")) for _ in range(TIMES)]
        dice = random.Random(7)
        runs = [_ended(trial, dice.random() < 0.5) for _, trial in trials if trial]
        decided = [_timed(lambda run=run: proving.deliver_live(run)) for run in runs]
    return [
        _row("assign a task, 100,000 trials", [took for took, _ in trials], ASSIGN_MS),
        _row("take in an outcome and decide, 100,000 trials", [took for took, _ in decided], DECIDE_MS),
    ]


def _timed(call: Callable[[], T]) -> tuple[float, T]:
    began = time.perf_counter()
    given = call()
    return time.perf_counter() - began, given


def _old(experiment_id: str, number: int) -> Trial:
    arm = "A" if number % 2 else "B"
    place = f"replay/{number // 2}"
    return Trial(new_id(), experiment_id, f"u{number}", arm, "docs", place, "replay", timestamp(), "r", True, 0.1, 1.0)


def _ended(trial: Trial, passed: bool) -> Run:
    task, profile = Task("x", [FileCriteria("new")]), Profile(trial=trial.id)
    places, status = ("/r", "0" * 40, "b", "/w", "/a"), Status.DONE if passed else Status.FAILED
    return Run(new_id(), task, profile, *places, Budget(), timestamp(), status, spent=Spent(1, 0.1, seconds=1.0))


def _row(what: str, times: list[float], most_ms: float) -> str:
    middle, late = (1000 * found for found in (statistics.median(times), sorted(times)[int(0.95 * len(times))]))
    state = "ok" if middle <= most_ms else "OVER"
    return f"{what}|{middle:.2f} ms, 95 % within {late:.2f} ms|{most_ms:.0f} ms|{state}"
