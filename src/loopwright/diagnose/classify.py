"""One run and its failures -> what each of its steps was: architectural, implementation, a clean pass."""

from __future__ import annotations

from collections.abc import Sequence

from loopwright.diagnose.dossier import Dossier, is_failed
from loopwright.records.check import Verdict
from loopwright.records.qa_failure import Classification, QAFailure, StepClass
from loopwright.records.run import Step

_APPROACH = ("architecture", "misunderstood")
"""Causes that lie in the approach, and not in how it was carried out."""
_UNKNOWN = 0.3


def classify(dossier: Dossier, failures: Sequence[QAFailure]) -> list[Classification]:
    """Say of each step what it was."""
    return [_classified(dossier, step, failures) for step in dossier.bundle.steps]


def _classified(dossier: Dossier, step: Step, failures: Sequence[QAFailure]) -> Classification:
    attempts = {one.id for one in dossier.bundle.attempts if one.step_id == step.id}
    checks = [check for check in dossier.bundle.checks if check.attempt_id in attempts and not check.advisory]
    iterations = {check.iteration for check in checks if is_failed(check)}
    its = [one for one in failures if iterations.intersection(one.iterations)]
    if step is dossier.bundle.steps[-1]:
        its += [one for one in failures if not one.iterations]  # who rejects an output rejects what there is at the end
    if its:
        return _made(step, *_failed(its))
    if any(check.verdict is Verdict.PASS for check in checks):
        return _made(step, "clean_pass", 1.0, "all criteria held at the first go")
    return _made(step, "not_judged", 1.0, "nobody has checked it")


def _failed(failures: Sequence[QAFailure]) -> tuple[StepClass, float, str]:
    """Doubt the approach where the likely cause of one failed check lies in it."""
    doubted = [one for one in failures if one.cause in _APPROACH and one.failure_type != "review"]
    if doubted:
        most = max(doubted, key=lambda one: one.likely.certainty)
        return "architectural", most.likely.certainty, f"{most.likely.name}: {most.likely.evidence}"
    most = max(failures, key=lambda one: one.likely.certainty)
    if most.cause == "novel":
        return "implementation", _UNKNOWN, "it failed, and nothing shows that the approach was wrong"
    return "implementation", most.likely.certainty, f"{most.likely.name}: {most.likely.evidence}"


def _made(step: Step, kind: StepClass, certainty: float, because: str) -> Classification:
    return Classification(step.run_id, step.id, step.number, step.title, kind, certainty, because)
