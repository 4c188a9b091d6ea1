"""Sessions, signals and windows for tests of rules."""

from __future__ import annotations

from typing import Any

from loopwright.records.pattern import Case
from loopwright.records.signal import Signal
from loopwright.records.window import Looked, Window


def case(run_id: str, task_type: str = "bug_fix", **more: Any) -> Case:
    plain = Case(run_id, task_type, "codex", "m", "p", "", "done", "2026", True, True, 1, 60.0, 1000, 0.1, 5, 1)
    return plain._replace(**more)


def cases(count: int, task_type: str = "bug_fix", **more: Any) -> list[Case]:
    return [case(f"{task_type}-{number}", task_type, **more) for number in range(count)]


def signal(run_id: str, kind: str = "error_loop", cost: float = 0.0, **more: Any) -> Signal:
    name = f"{kind}-{run_id}"
    return Signal(name, run_id, kind, "medium", name, (1,), cost_usd=cost, **more)


def standing(looked: list[Looked]) -> list[str]:
    """Name what is a finding."""
    return [one.finding.key for one in looked if one.stands]


def window(given: list[Case], **more: Any) -> Window:
    return Window(given, **more)
