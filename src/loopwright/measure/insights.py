"""Many runs -> answers to three questions: what keeps failing, what helps, and who does better on the same tasks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from loopwright.records.insight import Cell, Gap, Remedied
from loopwright.statistics.intervals import wilson

_TOPICS = 10
_DONE, _ENDED = "done", ("done", "failed", "escalated")
Side = tuple[str, str]
"""An agent and its model."""


@dataclass(frozen=True)
class Rate:
    """How often something went well, with the interval in which the true rate lies (95 %)."""

    passes: int
    tries: int
    low: float
    high: float

    @property
    def value(self) -> float | None:
        return self.passes / self.tries if self.tries else None


@dataclass(frozen=True)
class Helped:
    """What share of the goes after a remedy went well."""

    remedy: str
    topic: str
    """Empty for all topics together."""
    rate: Rate


@dataclass(frozen=True)
class Compared:
    """What one agent with one model came to on tasks that others did as well."""

    agent: str
    model: str
    runs: int
    tasks: int
    passed: Rate
    iterations: float
    seconds: float
    cost_usd: float
    reads_before_edit: float | None
    retries: float | None
    calls: Mapping[str, float]
    """Calls of each tool, for each run."""


@dataclass(frozen=True)
class Insights:
    """The three answers."""

    runs: int
    gaps: Sequence[Gap]
    recovery: Sequence[Helped]
    comparison: Sequence[Compared]
    shared_tasks: int
    """How many tasks were done by more than one."""


def insights(
    gaps: Sequence[Gap], remedied: Sequence[Remedied], cells: Sequence[Cell], calls: Mapping[str, Mapping[str, int]]
) -> Insights:
    """Put the answers together; `calls` has the calls of each tool by run."""
    shared = shared_tasks(cells)
    sides: dict[Side, list[Cell]] = defaultdict(list)
    for cell in (cell for some in shared.values() for cell in some):
        sides[cell.agent, cell.model].append(cell)
    compared = [_compared(side, some, calls) for side, some in sides.items()]
    best = sorted(compared, key=lambda one: (-(one.passed.value or 0.0), one.cost_usd, one.agent, one.model))
    return Insights(len(cells), gaps, _recovery(remedied), best, len(shared))


def shared_tasks(cells: Sequence[Cell]) -> dict[tuple[str, str], list[Cell]]:
    """Give the tasks, told by repository and goal, that more than one agent or model has ended, with their runs."""
    tasks: dict[tuple[str, str], list[Cell]] = defaultdict(list)
    for cell in cells:
        if not cell.source and cell.status in _ENDED and cell.goal.strip():
            tasks[cell.repository, " ".join(cell.goal.split())].append(cell)
    return {task: some for task, some in tasks.items() if len({(cell.agent, cell.model) for cell in some}) > 1}


def rate(passes: int, tries: int) -> Rate:
    """Give a rate with its interval."""
    low, high = wilson(passes, tries)
    return Rate(passes, tries, round(low, 4), round(high, 4))


def _recovery(remedied: Sequence[Remedied]) -> list[Helped]:
    sums: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for one in remedied:
        sums[one.remedy][0] += one.passes
        sums[one.remedy][1] += one.tries
    whole = [Helped(remedy, "", rate(*counts)) for remedy, counts in sums.items()]
    topics = [one for one in remedied if one.topic and one.remedy in ("search", "diagnostic")]
    topics = sorted(topics, key=lambda one: (-one.tries, one.remedy, one.topic))[:_TOPICS]
    parts = [Helped(one.remedy, one.topic, rate(one.passes, one.tries)) for one in topics]
    return sorted(whole, key=lambda one: -one.rate.tries) + parts


def _compared(side: Side, cells: Sequence[Cell], calls: Mapping[str, Mapping[str, int]]) -> Compared:
    used: dict[str, int] = defaultdict(int)
    for cell in cells:
        for tool, count in calls.get(cell.run_id, {}).items():
            used[tool] += count
    most = sorted(used.items(), key=lambda item: (-item[1], item[0]))
    looked = [cell for cell in cells if cell.edits is not None]
    return Compared(
        *side,
        runs=len(cells),
        tasks=len({(cell.repository, cell.goal) for cell in cells}),
        passed=rate(sum(cell.status == _DONE for cell in cells), len(cells)),
        iterations=_middle([cell.iterations for cell in cells]),
        seconds=_middle([cell.seconds for cell in cells]),
        cost_usd=_middle([cell.cost_usd for cell in cells]),
        reads_before_edit=_middle([cell.reads_before_edit or 0 for cell in looked]) if looked else None,
        retries=_middle([cell.retries or 0 for cell in looked]) if looked else None,
        calls={tool: round(count / len(cells), 2) for tool, count in most},
    )


def _middle(values: Sequence[Any]) -> float:
    return round(float(median(values)), 6)
