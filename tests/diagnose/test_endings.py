"""What the end of a run says of the cause."""

from __future__ import annotations

from typing import Any

import pytest

from failed_runs import dossier, signal
from loopwright.diagnose.endings import of_ending
from loopwright.records.run import Ending, Reason


def names(reason: Reason, *rolled_back: str, **more: Any) -> list[str]:
    return [one.name for one in of_ending(dossier([], run={"reason": reason}, **more), rolled_back)]


@pytest.mark.parametrize(
    ("reason", "name"),
    [
        (Reason.NO_ACCESS, "novel/no_access"),
        (Reason.UNAVAILABLE, "novel/unavailable"),
        (Reason.AGENT_FAILED, "novel/agent_failed"),
        (Reason.IMPOSSIBLE, "misunderstood/impossible"),
        (Reason.STALLED, "architecture/stalled"),
        (Reason.BUDGET, "novel/budget"),
    ],
)
def test_each_end(reason: Reason, name: str) -> None:
    """An end that says something of its cause is a hypothesis."""
    assert names(reason) == [name]


def test_an_end_that_says_nothing() -> None:
    """Criteria that were not met say nothing by themselves."""
    assert names(Reason.CRITERIA_UNMET) == []


def test_what_wasted_the_budget() -> None:
    """The dearest waste comes before the limit itself."""
    waste = [signal("error_loop", cost_usd=0.1), signal("context_thrashing", 2, cost_usd=0.5)]
    assert names(Reason.BUDGET, signals=waste) == ["anti_pattern/context_thrashing", "novel/budget"]


def test_lost_and_rolled_back() -> None:
    """An attempt whose process died, and a release that was taken back, are named."""
    assert names(Reason.CRITERIA_UNMET, endings={1: Ending.LOST}) == ["novel/lost"]
    assert names(Reason.CRITERIA_UNMET, "prompt worker/docs@3") == ["novel/release"]
