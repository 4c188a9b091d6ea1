"""What is usual for the like of a run."""

from __future__ import annotations

from loopwright.measure.baselines import Baselines
from loopwright.records.baseline import Totals, Usual
from measure.weighed import EVEN, past

MINE = Totals("mine", "bug_fix", "an agent", "a model", 100.0, 0, 0.0)


def test_the_run_itself_is_left_out() -> None:
    """A run that is in the history does not speak for itself."""
    usual = Baselines(past(EVEN, "seconds")).of(MINE).seconds
    assert (usual.count, usual.median) == (10, 100.0)  # the one of 100 is gone: between 90 and 110


def test_of_others_nothing_is_left_out() -> None:
    """A run that is not there leaves the history as it is."""
    usual = Baselines(past(EVEN, "seconds")).of(Totals("x", "bug_fix", "", "", 7.0, 0, 0.0)).seconds
    assert (usual.count, usual.median, usual.mad) == (11, 100.0, 30.0)


def test_each_like_has_its_own() -> None:
    """Task types are apart, and so are runs of ours and sessions."""
    history = [*past(EVEN, "seconds", task_type="docs"), *past(EVEN, "seconds", source="codex")]
    assert Baselines(history).of(MINE).seconds == Usual()
