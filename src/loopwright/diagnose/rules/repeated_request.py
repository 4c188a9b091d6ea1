"""Humans who have to ask for the same again in one session."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from loopwright.diagnose.grouping import FEWEST, by_type, chosen, dearest
from loopwright.records.finding import Finding
from loopwright.records.pattern import Case
from loopwright.records.window import Looked, Request, Window
from loopwright.statistics.intervals import lower_bound
from loopwright.text.asked_again import asked_again

NAME = "repeated_request"


def repeated_request(window: Window) -> Iterator[Looked]:
    """Look at what humans said, by task type."""
    said: dict[str, list[Request]] = defaultdict(list)
    for request in window.requests:
        said[request.run_id].append(request)
    again = {run_id: _times(requests) for run_id, requests in said.items()}
    for task_type, cases in by_type(case for case in window.cases if case.run_id in said).items():
        yield _looked(task_type, cases, again)


def _times(requests: Sequence[Request]) -> int:
    """Count the requests that were made before."""
    ordered = sorted((request.seq, request.text) for request in requests)
    return sum(len(group) - 1 for group in asked_again(ordered))


def _looked(task_type: str, cases: Sequence[Case], again: dict[str, int]) -> Looked:
    bad = chosen(cases, {run_id for run_id, times in again.items() if times})
    times = sum(again[case.run_id] for case in bad)
    finding = Finding(
        key=f"{NAME}/{task_type}",
        goal="accuracy",
        rule=NAME,
        title=f"Humans have to ask for the same again, in {task_type} tasks",
        detail=f"{times:,} requests were made before, in {len(bad):,} of {len(cases):,} sessions with a human",
        sessions=len(bad),
        of=len(cases),
        certainty=round(0.5 + 0.4 * lower_bound(len(bad), len(cases)), 4),
        target=f"worker/{task_type}",
        cause="misunderstood",
        runs=dearest(bad),
    )
    return Looked(finding, len(bad) >= FEWEST)
