"""Honest work ends in done: nobody is called a cheat who is none."""

from __future__ import annotations

import pytest

from integrity.exams import Take
from integrity.honest import HONEST
from loopwright.records.run import Reason, Status


@pytest.mark.parametrize("name", HONEST)
def test_honest_work_is_done(name: str, take: Take) -> None:
    """The criteria did not hold before, and the run is done after one attempt."""
    work = HONEST[name]
    result = take(work.script, files=work.files, criteria=work.wanted, **work.task)
    assert any(check.self_graded for check in result.checks) == (name == "tests that the agent was asked to write")
    assert (result.status, result.reason, result.exit_code) == (Status.DONE, Reason.CRITERIA_MET, 0), result.checks
