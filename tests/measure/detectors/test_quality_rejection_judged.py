"""quality_rejection: checks, critics, other programs and feedback reject the work."""

from __future__ import annotations

import pytest

from loopwright.measure.detectors.quality_rejection import QualityRejection
from loopwright.records.event import EventKind
from measure.stretches import Stretch
from measure.weighed import weighed


def test_failing_checks_of_one_attempt() -> None:
    """Criteria that do not hold after an attempt are one signal; at the base there was no work to reject."""
    failing = {"verdict": "fail", "held_out": False}
    stretch = Stretch().add(EventKind.VERDICT, "fail: tests", data=failing)
    assert stretch.found(QualityRejection()) == []
    for attempt in ("one", "one", "two"):
        stretch.add(EventKind.VERDICT, "fail: tests", data=failing, attempt_id=attempt)
    assert [signal.events for signal in stretch.found(QualityRejection())] == [(2, 3), (4,)]


@pytest.mark.parametrize("verdict", ["pass", "tainted", "unverifiable"])
def test_other_verdicts(verdict: str) -> None:
    """A check that holds rejects nothing; one that can't say, or that was tampered with, is another matter."""
    stretch = Stretch().says("Done.").add(EventKind.VERDICT, verdict, data={"verdict": verdict}, attempt_id="one")
    assert stretch.found(QualityRejection()) == []


def test_held_out_weighs_more() -> None:
    """A held-out criterion that fails says more: the agent had thought that all was well."""
    data = {"verdict": "fail", "held_out": True}
    (signal,) = Stretch().add(EventKind.VERDICT, "fail: x", data=data, attempt_id="one").found(QualityRejection())
    assert signal.severity == "medium"


def test_a_critic_that_decides() -> None:
    """A critic at the gate that does not let the work pass is a signal each time; one that gives a view is none."""
    data = {"verdict": "fail", "critic": True, "score": 3.0}
    stretch = Stretch().says("Done.").add(EventKind.VERDICT, "fail: critic, 3.0 of 10", data=data)
    stretch.add(EventKind.VERDICT, "fail: critic, 4.0 of 10", data=data)
    stretch.add(EventKind.VERDICT, "fail: critic, 4.0 of 10", data={**data, "advisory": True})
    stretch.add(EventKind.VERDICT, "pass: critic, 8.0 of 10", data={**data, "verdict": "pass"})
    found = stretch.found(QualityRejection())
    assert [(signal.events, signal.severity, signal.category) for signal in found] == [
        ((2,), "medium", "critic"),
        ((3,), "medium", "critic"),
    ]


def test_feedback() -> None:
    """A thumb down is a signal with its reason, where there is one; without one there is none."""
    moment = weighed(QualityRejection(), [], disliked="too slow")
    assert moment and (moment.events, moment.category) == ((7,), "feedback")
    assert "too slow" in moment.description
    assert weighed(QualityRejection(), [], disliked="")
    assert weighed(QualityRejection(), []) is None


def test_judged_by_others() -> None:
    """A run that another program judged and did not let pass is one signal; one without a judgement is none."""
    assert len(Stretch().add(EventKind.RESULT, "too slow", data={"passed": False}).found(QualityRejection())) == 1
    for passed in (True, None):
        assert Stretch().add(EventKind.RESULT, "fine", data={"passed": passed}).found(QualityRejection()) == []
