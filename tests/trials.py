"""Experiments for tests: real assignment, store and decisions; the outcomes are told instead of worked for."""

from __future__ import annotations

from typing import Any

from loopwright import FileCriteria
from loopwright.cycle.proposing import Proposal, create
from loopwright.cycle.proving import Proving
from loopwright.guard.guardrails import Autonomy
from loopwright.guard.redact import Masker
from loopwright.records.budget import Budget, Spent
from loopwright.records.experiment import Experiment, Trial
from loopwright.records.identity import new_id
from loopwright.records.profile import Profile
from loopwright.records.run import Run, Status
from loopwright.records.task import Task
from loopwright.release.versions import Versions
from loopwright.store import Store
from store.samples import make_run

TYPE = "docs"
PROMPT_NAME = f"worker/{TYPE}"


def proving_on(store: Store, autonomy: Autonomy = "suggest") -> Proving:
    return Proving(store.experiments, Versions(store.versions, Masker({})), autonomy)


def begin(proving: Proving, **wanted: Any) -> Experiment:
    """Begin an experiment: `review` none against self, in the docs."""
    plan = {"parameter": "review", "treatment": "self", "task_types": [TYPE], **wanted}
    return create(proving.experiments, proving.versions, Proposal(**plan))


def begin_prompt(proving: Proving, words: str = "Be kind.", **wanted: Any) -> Experiment:
    """Begin an experiment on a prompt that says a little more."""
    content = f"{proving.versions.get('prompt', PROMPT_NAME).content}\n{words}\n"
    version = proving.versions.write("prompt", PROMPT_NAME, content, "better", author="patch")
    return begin(proving, parameter="system_prompt", treatment=str(version.number), **wanted)


def ended(
    trial: Trial, *, passed: bool = True, cost: float = 0.1, seconds: float = 10.0, status: Status | None = None
) -> Run:
    """Give the run that a trial's task came to."""
    status = status or (Status.DONE if passed else Status.FAILED)
    spent, profile = Spent(1, cost, seconds=seconds), Profile(trial=trial.id)
    places = {"repository": "/r", "base": "0" * 40, "branch": "b", "workspace": "/w", "artifacts": "/a"}
    started_at = "2026-01-02T03:04:05.678Z"
    task = Task("x", [FileCriteria("new")])
    return Run(new_id(), task, profile, **places, budget=Budget(), started_at=started_at, status=status, spent=spent)


def finished(goal: str, **changes: Any) -> Run:
    """Give a run that has ended, of a task with this goal."""
    return make_run(**{"task": Task(goal, [FileCriteria("new")]), "status": Status.DONE, **changes})


def assigned(proving: Proving, unit: str, task_type: str = TYPE) -> Trial:
    """Give the trial of a task that takes part."""
    trial = proving.assign(unit, task_type)
    assert trial is not None
    return trial


def live_pairs(proving: Proving, outcomes: list[tuple[bool, bool]], task_type: str = TYPE, **spent: float) -> None:
    """Bring pairs to their ends, each with what A and B come to; `cost_a` and `cost_b` are dollars."""
    for a, b in outcomes:
        for unit in (new_id(), new_id()):
            trial = assigned(proving, unit, task_type)
            cost = spent.get(f"cost_{trial.arm.lower()}", 0.1)
            proving.deliver_live(ended(trial, passed=a if trial.arm == "A" else b, cost=cost))


BETTER = [(False, True)] * 28 + [(True, False)] * 2
"""As few pairs as can promote."""
SAME = [(True, True)]
