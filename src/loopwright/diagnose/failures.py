"""One run -> its failed checks and rejected outputs, each with its likely cause."""

from __future__ import annotations

from collections.abc import Iterable

from loopwright.diagnose.causes import causes
from loopwright.diagnose.dossier import Dossier, Trail
from loopwright.diagnose.failure_type import failure_type
from loopwright.records.qa_failure import FailureType, Hypothesis, QAFailure, failure_id
from loopwright.text.excerpt import excerpt, shortened

_DESCRIPTION, _DIFF, _GOAL = 2_000, 20_000, 2_000


def failures(dossier: Dossier) -> list[QAFailure]:
    """Give them all: first what checks say, then what critics and humans say."""
    return [*(_of_trail(dossier, trail) for trail in dossier.trails), *_rejections(dossier)]


def _of_trail(dossier: Dossier, trail: Trail) -> QAFailure:
    check = trail.last
    attempt = dossier.attempt(check)
    return _failure(
        dossier,
        what=check.criterion_hash,
        at=(attempt.ended_at if attempt else None) or dossier.bundle.run.started_at,
        kind=failure_type(check),
        criterion=check.criterion,
        description=check.evidence,
        diff=dossier.diff(check),
        hypotheses=causes(dossier, trail),
        iterations=tuple(dict.fromkeys(one.iteration for one in trail.failed)),
        recovered=trail.recovered,
    )


def _rejections(dossier: Dossier) -> Iterable[QAFailure]:
    """Give the newest word of each human, and of each critic, where it is a no and says more than the checks do."""
    judged = {(one.by, one.rubric): one for one in dossier.bundle.evaluations}
    for one in judged.values():
        if one.passed is False and not any(not trail.recovered for trail in dossier.trails):
            words = "\n".join([one.reason, *one.objections])
            by = one.rubric or one.by or "a critic"
            yield _rejected(dossier, f"evaluation {one.by} {one.rubric}", one.created_at, f"review by {by}", words)
    said = {one.by: one for one in dossier.feedback}
    for given in said.values():
        if not given.is_up:
            words = given.comment or "thumbs down"
            yield _rejected(dossier, f"feedback {given.by}", given.at, "review by a human", words)


def _rejected(dossier: Dossier, what: str, at: str, criterion: str, words: str) -> QAFailure:
    run = dossier.bundle.run
    held = run.passed is True or run.reason == "rejected"
    told = f"{criterion}: all criteria hold, and the output was rejected" if held else f"{criterion}: rejected"
    guess = Hypothesis("misunderstood", "rejected", 0.5 if held else 0.3, told, "rejected")
    return _failure(dossier, what, at, "review", criterion, words, dossier.bundle.diff, [guess])


def _failure(
    dossier: Dossier,
    what: str,
    at: str,
    kind: FailureType,
    criterion: str,
    description: str,
    diff: str,
    hypotheses: list[Hypothesis],
    iterations: tuple[int, ...] = (),
    recovered: bool = False,
) -> QAFailure:
    run = dossier.bundle.run
    task_type = run.task.task_type or "other"
    return QAFailure(
        id=failure_id(run.id, what),
        run_id=run.id,
        at=at,
        task=shortened(run.task.goal, _GOAL),
        task_type=task_type,
        agent=run.profile.agent,
        model=run.profile.model,
        failure_type=kind,
        criterion=shortened(criterion, _DESCRIPTION),
        description=excerpt(description, _DESCRIPTION),
        diff=shortened(diff, _DIFF),
        prompt_version=run.prompt_version,
        target=f"worker/{task_type}",
        hypotheses=tuple(hypotheses),
        iterations=iterations,
        recovered=recovered,
        trial=bool(run.profile.trial),
    )
