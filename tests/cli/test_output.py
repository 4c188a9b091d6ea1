from __future__ import annotations

import pytest

from loopwright.cli.output import headline, next_steps
from loopwright.records.run import Reason, Status

RUN = "01a1e0f2-0000-7000-8000-3cafe9a9bb52"
BRANCH = f"loopwright/{RUN}"


def test_what_comes_after_no_access() -> None:
    """Who has no access is told to log in and to go on, not to say what to do differently."""
    steps = next_steps(Status.ESCALATED, RUN, BRANCH, Reason.NO_ACCESS)
    assert steps[0] == "log in (`loopwright doctor` says how), then: loopwright resume e9a9bb52"
    assert "--agent" in steps[1]
    assert not any("--comment" in step for step in steps)


@pytest.mark.parametrize(("reason", "offered"), [(Reason.CRITERIA_MET, True), (Reason.ALREADY_MET, False)])
def test_nothing_is_landed_where_nothing_was_done(reason: Reason, offered: bool) -> None:
    """The work is offered where there is any."""
    assert bool(next_steps(Status.DONE, RUN, BRANCH, reason)) is offered


def test_who_was_interrupted_has_not_failed() -> None:
    """An interruption is not explained by criteria that were not met; money that ran out is an explanation."""
    assert str(headline(Status.CANCELLED, Reason.CRITERIA_UNMET, "e9a9bb52")) == "cancelled  run e9a9bb52"
    assert str(headline(Status.CANCELLED, Reason.BUDGET, "e9a9bb52")) == "cancelled (budget)  run e9a9bb52"
