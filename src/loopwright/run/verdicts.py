"""Checks -> what they come to."""

from __future__ import annotations

from collections.abc import Sequence

from loopwright.records.check import Check, Verdict
from loopwright.records.event import Event, EventKind
from loopwright.records.task import Task


def failed(checks: Sequence[Check]) -> list[Check]:
    """Those that do not hold, of those that decide."""
    return [check for check in checks if check.verdict is not Verdict.PASS and not check.advisory]


def all_hold(checks: Sequence[Check], task: Task) -> bool:
    """Whether every criterion that decides was looked at, and holds."""
    return sum(not check.advisory for check in checks) == len(task.required) and not failed(checks)


def forecast(checks: Sequence[Check]) -> str:
    """Say what checking will cost in time, by what it took at the base."""
    seconds = sum(check.duration_s for check in checks)
    tests = sum(check.proof.tests.collected for check in checks if check.proof.tests)
    unmet = f"{len(failed(checks))} of {len(checks)} criteria to meet"
    counted = f", {tests} test{'s' if tests != 1 else ''}" if tests else ""
    return f"forecast: {unmet}{counted}; checking takes about {seconds:.1f} s each time"


def verdict_event(check: Check) -> Event:
    """Tell of a check as of one thing that happened."""
    data = {"verdict": check.verdict, "criterion_hash": check.criterion_hash, "held_out": check.held_out}
    data |= {"tree": check.tree_hash}  # the same one passed and failed: that is flaky
    data |= {"advisory": True} if check.advisory else {}
    failing = check.verdict is not Verdict.PASS
    text = f"{check.verdict}: {check.criterion}"
    return Event(EventKind.VERDICT, text, is_error=failing, duration_s=check.duration_s, data=data)
