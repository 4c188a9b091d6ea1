"""A pair of trials + the evidence so far -> the evidence after it. Costs the same after ten pairs and ten thousand."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import Literal

from loopwright.guard.guardrails import MARGIN, RATIO_MARGIN
from loopwright.records.experiment import Evidence, Experiment, Look, Metric, Trial
from loopwright.verify.evidence import (
    VILLE,
    Decision,
    bounds,
    decide,
    futility,
    ratio_mismatch,
    scores_so_far,
    superiority,
    threshold,
    together,
)

Verdict = Decision | Literal["cheaper", "mismatch"]
"""`cheaper`: a model that costs less, and was shown to be no worse."""
_MODEL = "model"
_RATIO = math.log(4)
_MISMATCH = math.log(1000)
_MARGINS: dict[Metric, float] = {"passed": MARGIN, "cost": RATIO_MARGIN, "time": RATIO_MARGIN}


def weigh(experiment: Experiment, before: Evidence, control: Trial, treatment: Trial) -> Evidence:
    """Add a pair."""
    difference = _difference("passed", control, treatment)
    pairs, wins, losses = before.pairs + 1, before.wins + (difference > 0), before.losses + (difference < 0)
    low, high = bounds(wins, losses, pairs)
    known = before.strata.get(control.task_type, (0, 0, 0))
    stratum = [n + add for n, add in zip(known, (1, difference > 0, difference < 0), strict=True)]
    worth: dict[str, Sequence[float]] = {
        name: scores_so_far(before.worth.get(name, ()), _difference(name, control, treatment), _MARGINS[name])
        for name in experiment.guardrails
    }
    return dataclasses.replace(
        before,
        pairs=pairs,
        wins=wins,
        losses=losses,
        low=max(low, before.low),
        high=min(high, before.high),
        strata={**before.strata, control.task_type: stratum},
        worth=worth,
        totals={"A": _sums(before, "A", control), "B": _sums(before, "B", treatment)},
    )


def look(evidence: Evidence) -> Look:
    """Say what the evidence is worth now."""
    up = superiority(evidence.wins, evidence.losses)
    against = futility(evidence.wins, evidence.losses, evidence.pairs)
    return Look(evidence.pairs, up, against, evidence.low, evidence.high)


def verdict(experiment: Experiment, evidence: Evidence) -> Verdict:
    """Say what is decided: the primary metric first, and no guardrail may stand against it."""
    delivered = evidence.delivered
    if ratio_mismatch(delivered.get("A", 0), delivered.get("B", 0)) >= _MISMATCH:
        return "mismatch"
    counts = (evidence.wins, evidence.losses, evidence.pairs, experiment.maximum, experiment.minimum)
    found, is_harmless = decide(*counts, experiment.concurrent, experiment.threshold), not guarded(experiment, evidence)
    goes_on: Verdict = "continue" if evidence.pairs < experiment.maximum else "no_difference"
    if found == "promote":
        return "promote" if is_harmless else goes_on
    if found == "no_difference" and _may_be_cheaper(experiment, evidence):
        return "cheaper" if is_harmless else goes_on
    return found


def _may_be_cheaper(experiment: Experiment, evidence: Evidence) -> bool:
    """Say whether B is a model that costs less, with nothing shown yet to be worse in it."""
    (_, a, _), (_, b, _) = (evidence.totals.get(arm, (0.0, 0.0, 0.0)) for arm in ("A", "B"))
    is_asked = experiment.parameter == _MODEL and "passed" in experiment.guardrails
    return is_asked and 0 < b < a and evidence.high >= 0


def guarded(experiment: Experiment, evidence: Evidence) -> list[str]:
    """Name the guardrail metrics of which it is not shown that they are no worse."""
    return [name for name in experiment.guardrails if math.fsum(evidence.worth.get(name, ())) < VILLE]


def wanted(experiment: Experiment) -> float:
    """Give what the evidence has to reach."""
    return together(experiment.threshold or threshold(experiment.maximum), experiment.concurrent)


def _difference(metric: Metric, control: Trial, treatment: Trial) -> float:
    """Give by how much B is better, from -1 to 1: less is better for money and time, as a ratio."""
    if metric == "passed":
        return float(int(bool(treatment.passed)) - int(bool(control.passed)))
    a, b = (control.cost_usd, treatment.cost_usd) if metric == "cost" else (control.seconds, treatment.seconds)
    if a <= 0 or b <= 0:
        return 0.0 if a == b else math.copysign(1.0, a - b)
    return max(-1.0, min(1.0, math.log(a / b) / _RATIO))


def _sums(evidence: Evidence, arm: str, trial: Trial) -> list[float]:
    passes, dollars, seconds = evidence.totals.get(arm, (0.0, 0.0, 0.0))
    return [passes + bool(trial.passed), dollars + trial.cost_usd, seconds + trial.seconds]
