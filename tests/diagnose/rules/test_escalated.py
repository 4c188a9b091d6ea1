"""Runs that end with a human."""

from __future__ import annotations

from diagnose.samples import case, cases, standing, window
from loopwright.diagnose.rules.escalated import escalated


def test_a_type_whose_runs_end_with_a_human() -> None:
    """It is told with what those runs have cost; one of a hundred is nothing, nor are sessions that ran elsewhere."""
    bad = [case(f"bad-{number}", status="escalated", cost_usd=2.0) for number in range(6)]
    (looked,) = escalated(window([*cases(10), *bad]))
    assert looked.stands
    assert (looked.finding.key, looked.finding.sessions, looked.finding.of) == ("escalated/bug_fix", 6, 16)
    assert looked.finding.waste_usd == 12.0
    assert standing(list(escalated(window([*cases(99), bad[0]])))) == []
    assert list(escalated(window(cases(20, source="codex", status="escalated")))) == []
