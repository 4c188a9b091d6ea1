"""A significant failure -> its post-mortem: timeline, candidate causes, class, remediations. Written by rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from loopwright.diagnose.dossier import Dossier
from loopwright.diagnose.endings import of_ending
from loopwright.diagnose.happenings import timeline
from loopwright.diagnose.remedies import remedies
from loopwright.records.identity import short
from loopwright.records.postmortem import HORIZONS, Candidate, FailureClass, PostMortem, Remediation, Trigger
from loopwright.records.qa_failure import Hypothesis, QAFailure
from loopwright.records.run import Ending, Reason, Run, Status, because

_MOST = 3
_OFTEN = 3
"""In so many other runs, it is no accident any more."""
_LIKELY, _SUREST = 0.3, 0.99
_PREVENTABLE = ("anti_pattern", "missing_context", "misunderstood")
_MOST_EVIDENCE = 3


def triggers(dossier: Dossier, rolled_back: Sequence[str] = ()) -> Sequence[Trigger]:
    """Say what makes a run's failure significant; nothing where it is none."""
    run = dossier.bundle.run
    found: dict[Trigger, bool] = {
        "escalated": run.status is Status.ESCALATED,
        "failed": run.status is Status.FAILED,
        "tainted": run.reason is Reason.TAINTED,
        "rolled_back": bool(rolled_back) and run.passed is False,
        "over_budget": run.reason is Reason.BUDGET,
        "data_lost": any(attempt.ending is Ending.LOST for attempt in dossier.bundle.attempts),
    }
    return [name for name, is_so in found.items() if is_so]


def postmortem(
    dossier: Dossier,
    failures: Sequence[QAFailure],
    at: str,
    rolled_back: Sequence[str] = (),
    seen: Mapping[str, int] | None = None,
) -> PostMortem:
    """Write it; `rolled_back` names releases that it used, `seen` says in how many other runs each root was likely."""
    run = dossier.bundle.run
    target = f"worker/{run.task.task_type or 'other'}"
    found, unexplained = candidates(dossier, failures, rolled_back)
    kind, why = _class(found, {} if seen is None else seen, target)
    return PostMortem(
        run_id=run.id,
        ended_at=run.ended_at or "",
        at=at,
        triggers=triggers(dossier, rolled_back),
        title=_title(run),
        timeline=timeline(dossier),
        candidates=found,
        unexplained=unexplained,
        failure_class=kind,
        because=why,
        remediations=_remediations(found, target),
        failures=[failure.id for failure in failures],
    )


def candidates(
    dossier: Dossier, failures: Sequence[QAFailure], rolled_back: Sequence[str] = ()
) -> tuple[Sequence[Candidate], float]:
    """Give the three likeliest causes, and what is left for others."""
    open_ones = [failure for failure in failures if not failure.recovered] or failures
    said = [one for failure in open_ones for one in failure.hypotheses] + of_ending(dossier, rolled_back)
    groups: dict[str, list[Hypothesis]] = {}
    for one in said:
        if one.certainty > 0:
            groups.setdefault(one.name, []).append(one)
    best = {name: max(some, key=lambda one: one.certainty) for name, some in groups.items()}
    whole = 1 + sum(_odds(one) for one in best.values())
    ranked = sorted(best.values(), key=lambda one: -one.certainty)[:_MOST]
    found = [Candidate(one, round(_odds(one) / whole, 2), _evidence(groups[one.name])) for one in ranked]
    return found, round(max(0.0, 1 - sum(one.probability for one in found)), 2)


def _odds(one: Hypothesis) -> float:
    """Give how much likelier a cause is than that it was something else."""
    return one.certainty / (1 - min(_SUREST, one.certainty))


def _evidence(some: Sequence[Hypothesis]) -> Sequence[str]:
    return list(dict.fromkeys(one.evidence for one in some))[:_MOST_EVIDENCE]


def _class(found: Sequence[Candidate], seen: Mapping[str, int], target: str) -> tuple[FailureClass, str]:
    if not found or found[0].probability < _LIKELY:
        return "one_off", "no cause is likely enough to say more"
    first = found[0].hypothesis
    if (others := seen.get(f"{first.name} in {target}", 0)) >= _OFTEN:
        return "systemic", f"`{first.name}` was the likely cause in {others} other runs of {target}"
    if first.cause in _PREVENTABLE:
        return "preventable", f"there are remedies against `{first.name}`, and it was not seen often"
    return "one_off", f"`{first.name}` was the likely cause in {others or 'no'} other run{'' if others == 1 else 's'}"


def _remediations(found: Sequence[Candidate], target: str) -> Sequence[Remediation]:
    listed = [one for candidate in found for one in remedies(candidate.hypothesis, target)]
    once: dict[tuple[str, str], Remediation] = {}
    for one in listed:
        once.setdefault((one.horizon, one.text), one)
    order = list(HORIZONS)
    return sorted(once.values(), key=lambda one: order.index(one.horizon))


def _title(run: Run) -> str:
    return f"Run {short(run.id)}: {run.status}{because(run.status, run.reason)}"
