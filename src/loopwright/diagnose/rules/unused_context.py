"""Files that prompts bring along from the repository, and that nobody touches afterwards."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from loopwright.diagnose.grouping import by_type, chosen, dearest
from loopwright.records.budget import Usage
from loopwright.records.finding import Finding
from loopwright.records.pattern import Case
from loopwright.records.window import Brought, Looked, Window
from loopwright.statistics.intervals import lower_bound
from loopwright.text.prices import dollars

NAME = "unused_context"
FEWEST_RUNS = 5
MOST_OF_IT = 0.8
"""A run in which so much of what it was given was not touched was given too much."""
_NAMED = 5


def unused_context(window: Window) -> Iterator[Looked]:
    """Look at the runs that were given files, by task type."""
    files: dict[str, list[Brought]] = defaultdict(list)
    for one in window.brought:
        files[one.run_id].append(one)
    for task_type, cases in by_type(chosen(window.cases, set(files))).items():
        yield _looked(task_type, cases, files)


def _looked(task_type: str, cases: Sequence[Case], files: dict[str, list[Brought]]) -> Looked:
    whole = {case.run_id: sum(one.tokens for one in files[case.run_id]) for case in cases}
    idle = {case.run_id: sum(one.tokens for one in files[case.run_id] if not one.touched) for case in cases}
    bad = [case for case in cases if idle[case.run_id] >= MOST_OF_IT * whole[case.run_id] > 0]
    names = Counter(one.path for case in bad for one in files[case.run_id] if not one.touched).most_common(_NAMED)
    listed = ", ".join(f"`{path}` ({times})" for path, times in names)
    spent = [dollars(case.model, Usage(idle[case.run_id])) or 0.0 for case in bad]
    finding = Finding(
        key=f"{NAME}/{task_type}",
        goal="cost",
        rule=NAME,
        title=f"Files are brought along that nobody touches, in {task_type} tasks",
        detail=f"{sum(idle.values()):,} of {sum(whole.values()):,} tokens of files, in {len(cases):,} runs, were in "
        f"files that no call named; in {len(bad):,} runs most of it{f': {listed}' if listed else ''}",
        sessions=len(bad),
        of=len(cases),
        certainty=round(0.3 + 0.4 * lower_bound(len(bad), len(cases)), 4),
        target=f"profile worker/{task_type}",
        waste_usd=round(sum(spent), 6),
        waste_tokens=sum(idle[case.run_id] for case in bad),
        runs=dearest(bad),
    )
    return Looked(finding, len(cases) >= FEWEST_RUNS and lower_bound(len(bad), len(cases)) >= 0.5)
