"""What helps against causes."""

from __future__ import annotations

import pytest

from loopwright.diagnose.remedies import remedies
from loopwright.records.finding import CAUSES, Cause
from loopwright.records.graph import NODE_KINDS
from loopwright.records.postmortem import HORIZONS
from loopwright.records.qa_failure import Hypothesis

DETAILS = ("", "tamper", "budget", "no_access", "unavailable", "lost", "release")


@pytest.mark.parametrize("cause", CAUSES)
@pytest.mark.parametrize("detail", DETAILS)
def test_each_cause_has_all_three_horizons(cause: Cause, detail: str) -> None:
    """There is something to do now, this week and for good, and it is applied to something that the graph knows."""
    found = remedies(Hypothesis(cause, detail, 0.5, "", "rule"), "worker/docs")
    assert [one.horizon for one in found] == list(HORIZONS)
    assert all(one.target.partition(" ")[0] in (*NODE_KINDS, "") for one in found)
    assert {one.against for one in found} == {f"{cause}/{detail}" if detail else cause}


def test_what_it_is_applied_to() -> None:
    """A prompt, a profile and a playbook are those of the role and task type; a setting is itself."""
    found = remedies(Hypothesis("anti_pattern", "tamper", 0.5, "", "rule"), "worker/docs")
    assert [one.target for one in found] == ["", "prompt worker/docs", "config run.protect"]
