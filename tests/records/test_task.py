"""What a task refuses, before anything starts."""

from __future__ import annotations

from typing import Any

import pytest

from loopwright import FileCriteria, Task
from loopwright.errors import TaskError

SHOWN, HELD_OUT = FileCriteria("a"), FileCriteria("b", held_out=True)


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"goal": "  "}, "goal"),
        ({"criteria": []}, "criteria"),
        ({"criteria": ["pytest -q"]}, "criteria"),
        ({"criteria": [HELD_OUT]}, "criteria"),
        ({"task_type": "bugfix"}, "task_type"),
        ({"max_iterations": 0}, "max_iterations"),
        ({"max_cost": -1.0}, "max_cost"),
        ({"timeout_s": float("nan")}, "timeout_s"),
        ({"revert_when": "npx 'tsc"}, "revert_when"),
    ],
)
def test_what_cannot_be_meant_is_refused_by_name(fields: dict[str, Any], field: str) -> None:
    """A task that can't be run is refused, and the error names the field."""
    with pytest.raises(TaskError) as caught:
        Task(**{"goal": "Fix it", "criteria": [SHOWN], **fields})
    assert caught.value.field == field


def test_a_task_takes_lists() -> None:
    """Criteria may be given as a list; a task keeps them as they were."""
    criteria = [SHOWN, HELD_OUT]
    task = Task("Fix it", criteria, revert_when="npx tsc --noEmit")
    criteria.clear()
    assert task.criteria == (SHOWN, HELD_OUT)
