"""Checks -> what they come to."""

from __future__ import annotations

from collections.abc import Sequence

from loopwright.records.check import Check, Verdict
from loopwright.records.event import Event, EventKind
from loopwright.records.task import Task


def failed(checks: Sequence[Check]) -> list[Check]:
    """Those that do not hold."""
    return [check for check in checks if check.verdict is not Verdict.PASS]


def all_hold(checks: Sequence[Check], task: Task) -> bool:
    """Whether every criterion was looked at, and holds."""
    return len(checks) == len(task.criteria) and not failed(checks)


def last_checks(checks: Sequence[Check]) -> list[Check]:
    """Those of the last iteration that was judged; where it was judged again, the newest for each criterion."""
    newest = {
        check.criterion_hash: check
        for check in checks
        if (check.iteration, check.tree_hash) == (checks[-1].iteration, checks[-1].tree_hash)
    }
    return list(newest.values())


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
    failing = check.verdict is not Verdict.PASS
    text = f"{check.verdict}: {check.criterion}"
    return Event(EventKind.VERDICT, text, is_error=failing, duration_s=check.duration_s, data=data)
