"""Three questions over many runs."""

from __future__ import annotations

from loopwright.measure.insights import insights, shared_tasks
from loopwright.records.insight import Cell, Remedied


def cell(number: int, agent: str, status: str = "done", goal: str = "Fix it", source: str = "") -> Cell:
    return Cell(f"run-{number}", "/repo", goal, agent, "m", status, source, 2, 0.5 * number, 60.0, 3, 1, 0)


def test_only_tasks_that_more_than_one_has_done() -> None:
    """A task is compared where more than one agent has ended it here; sessions and other goals are not."""
    cells = [cell(1, "a"), cell(2, "b"), cell(3, "a", goal="Other"), cell(4, "c", "observed", source="codex")]
    cells.append(cell(5, "d", "running"))
    assert [[one.run_id for one in some] for some in shared_tasks(cells).values()] == [["run-1", "run-2"]]


def test_comparison() -> None:
    """The one that passes more often comes first, with its interval, its medians and its calls a run."""
    cells = [cell(1, "a", "escalated"), cell(2, "a"), cell(3, "b"), cell(4, "b", goal=" Fix   it ")]
    found = insights([], [], cells, {"run-3": {"Read": 4}, "run-4": {"Read": 2, "Bash": 1}})
    assert [(one.agent, one.passed.passes, one.passed.tries) for one in found.comparison] == [("b", 2, 2), ("a", 1, 2)]
    best = found.comparison[0]
    assert (best.cost_usd, best.reads_before_edit, best.calls) == (1.75, 3.0, {"Read": 3.0, "Bash": 0.5})
    assert best.passed.low < 1.0 == best.passed.high
    assert found.shared_tasks == 1


def test_recovery() -> None:
    """A remedy is counted over all its topics, and the most frequent topics of searches by themselves."""
    told = [Remedied("search", "vitest", 4, 3, 2), Remedied("search", "npm", 1, 0, 1), Remedied("edit", "", 10, 9, 5)]
    found = insights([], told, [], {}).recovery
    assert [(one.remedy, one.topic, one.rate.passes, one.rate.tries) for one in found] == [
        ("edit", "", 9, 10),
        ("search", "", 3, 5),
        ("search", "vitest", 3, 4),
        ("search", "npm", 0, 1),
    ]
