"""Task types that are seldom done right the first time, or less often than the others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import NormalDist

from loopwright.diagnose.grouping import by_type, dearest, type_of
from loopwright.records.finding import Finding
from loopwright.records.pattern import Case
from loopwright.records.window import Looked, Window
from loopwright.statistics.difference import difference
from loopwright.statistics.intervals import wilson

NAME = "first_pass"
FEWEST_RUNS = 8
SELDOM = 0.5
_CHANCE = 0.025
"""Of calling any of the types worse than the others that is not: the more there are, the more it takes."""


def first_pass(window: Window) -> Iterator[Looked]:
    """Look at the runs that were checked, by task type."""
    checked = [case for case in window.cases if case.first_pass is not None]
    groups = by_type(checked)
    z = NormalDist().inv_cdf(1 - _CHANCE / max(1, len(groups)))
    for task_type, cases in groups.items():
        yield _looked(task_type, cases, [case for case in checked if type_of(case) != task_type], z)


def _looked(task_type: str, cases: Sequence[Case], others: Sequence[Case], z: float) -> Looked:
    bad, of = [case for case in cases if not case.first_pass], len(cases)
    passed = of - len(bad)
    low, high = wilson(passed, of)
    rest = sum(bool(case.first_pass) for case in others)
    worse = difference(passed, of, rest, len(others), z)[1] < 0
    beside = f"; {rest:,} of {len(others):,} in all others" if others else ""
    again = [case.cost_usd * (case.iterations - 1) / case.iterations for case in bad if case.iterations > 1]
    finding = Finding(
        key=f"{NAME}/{task_type}",
        goal="accuracy",
        rule=NAME,
        title=f"{task_type} tasks are seldom done right the first time",
        detail=f"{passed:,} of {of:,} passed their checks at the first attempt ({low:.0%} to {high:.0%}){beside}",
        sessions=len(bad),
        of=of,
        certainty=0.9 if high < SELDOM or worse else 0.5,
        target=f"worker/{task_type}",
        waste_usd=round(sum(again), 6),
        runs=dearest(bad),
    )
    return Looked(finding, of >= FEWEST_RUNS and (high < SELDOM or worse))
