"""Failures as records."""

from __future__ import annotations

import pytest

from failed_runs import failure
from loopwright.records.finding import CAUSES
from loopwright.records.qa_failure import ROUTES, FailuresSettings, failure_id
from loopwright.records.shape import ShapeError


def test_each_cause_leads_somewhere() -> None:
    """All six causes have a route, and no two the same."""
    assert tuple(ROUTES) == CAUSES
    assert len(set(ROUTES.values())) == len(CAUSES)


def test_names() -> None:
    """A root is made of names alone; an id of the run and what failed."""
    assert failure("run").root == "code_bug/regression in worker/bug_fix"
    assert failure_id("run", "a") == failure_id("run", "a") != failure_id("run", "b")
    assert len(failure_id("run", "\ud800")) == 16


def test_at_least_one_failure_asks() -> None:
    """A setting that would ask for patches of nothing is refused."""
    with pytest.raises(ShapeError, match="1 or more"):
        FailuresSettings(0)
