"""Outcomes since a release -> whether it is rolled back: on evidence, and with a warning before."""

from __future__ import annotations

import dataclasses
import math

from loopwright.guard.guardrails import WORST_FALL
from loopwright.records.watched import Watched, WatchStatus
from loopwright.statistics.intervals import lower_bound
from loopwright.statistics.watch import ALARM, WARNING, evidence_of_counts, growth, late_evidence, seen_late

ENOUGH = 100
"""So many runs before it make a baseline."""
A_DAY = 200
"""At fewer tasks a day than this a fall that came late is judged as if there were so many."""


def begin(release_id: str, passes: int, runs: int, at: str) -> Watched:
    """Begin to look on, with what was before in mind."""
    if runs < ENOUGH:
        detail = f"{runs} runs were before it: {ENOUGH} are needed to tell whether it got worse"
        return Watched(release_id, runs, None, at, status="no_baseline", detail=detail)
    return Watched(release_id, runs, lower_bound(passes, runs), at)


def see(before: Watched, passed: bool, per_day: float) -> Watched:
    """Take an outcome."""
    if before.p0 is None or before.status == "rolled_back":
        return before
    after = dataclasses.replace(
        before,
        tries=before.tries + 1,
        passes=before.passes + passed,
        late=seen_late(before.late, float(passed), before.p0),
    )
    found, late = evidence_of_counts(after.passes, after.tries, before.p0), late_evidence(after.late)
    share = late / max(A_DAY, per_day)  # false once in so many tasks, so 1 day in 20 at 20 times as many as a day has
    status: WatchStatus = before.status
    if found >= ALARM or share >= ALARM:
        status = "rolled_back"
    elif found >= WARNING or share >= WARNING:
        status = "warned"
    rate = f"{after.passes} of {after.tries} passed since, at least {100 * before.p0:.0f} % did before"
    return dataclasses.replace(after, status=status, detail=f"{rate}; evidence {max(found, share):.1f} of {ALARM:.0f}")


def tasks_to_see(p0: float, fall: float) -> float:
    """Give about how many tasks it takes to find a fall of the pass rate below a baseline."""
    rate = growth(p0, max(0.0, p0 - fall))
    return math.log(ALARM) / rate if rate > 0 else math.inf


def visible(p0: float, per_day: float) -> str:
    """Say what can be seen at a team's own rate."""
    need = tasks_to_see(p0, WORST_FALL)
    found = next((fall for fall in range(1, 100) if tasks_to_see(p0, fall / 100) <= per_day), None)
    day = f"a fall to {found} points below {100 * p0:.0f} %" if found else "no fall at all"
    found_so = f"at {per_day:.0f} tasks a day, {day} is found within a day in half of the cases"
    return f"{found_so}; 5 points below need about {need:.0f} tasks"
