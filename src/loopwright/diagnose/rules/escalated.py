"""Task types whose runs end with a human far too often."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from loopwright.diagnose.grouping import FEWEST, by_type, dearest
from loopwright.records.finding import Finding
from loopwright.records.pattern import Case
from loopwright.records.window import Looked, Window
from loopwright.statistics.intervals import lower_bound

NAME = "escalated"
OFTEN = 0.1
"""What share of the runs at the least, with 90% certainty."""


def escalated(window: Window) -> Iterator[Looked]:
    """Look at our own runs, by task type."""
    for task_type, cases in by_type(case for case in window.cases if not case.source).items():
        yield _looked(task_type, cases)


def _looked(task_type: str, cases: Sequence[Case]) -> Looked:
    bad = [case for case in cases if case.status == "escalated"]
    least = lower_bound(len(bad), len(cases))
    finding = Finding(
        key=f"{NAME}/{task_type}",
        goal="accuracy",
        rule=NAME,
        title=f"{task_type} tasks often end with a human",
        detail=f"{len(bad):,} of {len(cases):,} runs were given to a human before they were done",
        sessions=len(bad),
        of=len(cases),
        certainty=round(0.6 + 0.3 * least, 4),
        target=f"worker/{task_type}",
        waste_usd=round(sum(case.cost_usd for case in bad), 6),
        waste_tokens=sum(case.tokens for case in bad),
        waste_seconds=round(sum(case.seconds for case in bad), 3),
        runs=dearest(bad),
    )
    return Looked(finding, len(bad) >= FEWEST and least >= OFTEN)
