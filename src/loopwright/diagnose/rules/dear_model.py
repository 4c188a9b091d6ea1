"""A dear model on task types where a cheaper one passes as often, or was never tried though the tasks are easy."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from statistics import fmean

from loopwright.diagnose.grouping import by_type, dearest
from loopwright.records.finding import Finding
from loopwright.records.pattern import Case
from loopwright.records.window import Looked, Window
from loopwright.statistics.difference import difference
from loopwright.statistics.intervals import lower_bound

NAME = "dear_model"
FEWEST_RUNS = 10
"""Of each of the two models."""
MARGIN = 0.1
"""So much less often may a cheaper one pass, at the most, to count as good: the lower end of a 95% interval."""
EASY = 0.8
"""What share of the tasks passes, at the least."""
_CHEAPER = 0.8
_LEAST_USD = 0.05
"""A run that costs less is not worth a look."""


def dear_model(window: Window) -> Iterator[Looked]:
    """Look at each task type whose runs were checked and priced."""
    judged = [case for case in window.cases if case.passed is not None and case.model]
    for task_type, cases in by_type(judged).items():
        models: dict[str, list[Case]] = defaultdict(list)
        for case in cases:
            models[case.model].append(case)
        dear = max(sorted(models), key=lambda model: _mean(models[model]))
        if len(models[dear]) >= FEWEST_RUNS:
            yield _looked(task_type, dear, models)


def _looked(task_type: str, dear: str, models: dict[str, list[Case]]) -> Looked:
    runs = models[dear]
    price, passed = _mean(runs), _passed(runs)
    cheaper = [name for name, some in models.items() if 0 < _mean(some) < _CHEAPER * price]
    tried = [name for name in sorted(cheaper) if len(models[name]) >= FEWEST_RUNS]
    good = [name for name in tried if _gap(models[name], runs) > -MARGIN]
    easy = lower_bound(passed, len(runs)) >= EASY
    best = min(good, key=lambda name: _mean(models[name])) if good else ""
    saved = (price - _mean(models[best])) * len(runs) if best else 0.0
    finding = Finding(
        key=f"{NAME}/{task_type}",
        goal="cost",
        rule=NAME,
        title=f"A dear model does {task_type} tasks" + (", and a cheaper one passes as often" if best else ""),
        detail=f"`{dear}` passed {passed:,} of {len(runs):,} at ${price:.2f} a run; {_beside(models, cheaper, best)}",
        sessions=len(runs),
        of=sum(map(len, models.values())),
        certainty=0.8 if best else 0.3,
        target=f"profile worker/{task_type}",
        waste_usd=round(saved, 6),
        runs=dearest(runs),
    )
    return Looked(finding, price >= _LEAST_USD and (bool(best) or (easy and not tried)))


def _beside(models: dict[str, list[Case]], cheaper: Sequence[str], best: str) -> str:
    if best:
        runs = models[best]
        return f"`{best}` {_passed(runs):,} of {len(runs):,} at ${_mean(runs):.2f}"
    if not cheaper:
        return "no cheaper model was tried"
    told = [f"`{name}` {_passed(models[name]):,} of {len(models[name]):,}" for name in sorted(cheaper)]
    return f"that a cheaper one does as well is not shown: {', '.join(told)}"


def _gap(cheap: Sequence[Case], dear: Sequence[Case]) -> float:
    """Give how much less often the cheap one may pass, at the most."""
    return difference(_passed(cheap), len(cheap), _passed(dear), len(dear))[0]


def _passed(cases: Sequence[Case]) -> int:
    return sum(bool(case.passed) for case in cases)


def _mean(cases: Sequence[Case]) -> float:
    return fmean(case.cost_usd for case in cases)
