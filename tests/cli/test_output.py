from __future__ import annotations

from dataclasses import replace

import pytest

from loopwright.cli.output import cost_of, headline, next_steps
from loopwright.records.budget import Spent, Usage
from loopwright.records.run import Reason, Status
from store.samples import full_run

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


@pytest.mark.parametrize(
    ("source", "spent", "words"),
    [
        ("codex", Spent(1, 0.0, Usage(10)), "?"),
        ("codex", Spent(1, 0.5), "$0.50"),
        ("", Spent(2, 0.0), "?"),
        ("", Spent(), "$0.00"),
    ],
)
def test_a_cost_that_nobody_knows_is_no_zero(source: str, spent: Spent, words: str) -> None:
    """Where an agent was at work it was not for nothing; before that, nothing was spent."""
    assert cost_of(replace(full_run(), source=source, spent=spent), 2) == words
