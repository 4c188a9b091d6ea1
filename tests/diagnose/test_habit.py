"""Signals of failing attempts show habits."""

from __future__ import annotations

import dataclasses

from failed_runs import call, check, dossier, signal
from loopwright.diagnose.habit import habit
from loopwright.records.qa_failure import Hypothesis
from loopwright.records.signal import Signal

WRITES = [call(1, "Write", file_path="a.py"), call(2, "Bash", command="ls", attempt=2)]


def found(*signals: Signal, events: object = WRITES, **more: object) -> Hypothesis | None:
    made = dossier([check(1)], events=events, signals=signals, **more)  # type: ignore[arg-type]
    return habit(made, made.trails[0])


def test_done_without_a_test() -> None:
    """Who claims success and ran no tests has the habit more likely than who ran some."""
    untested = found(signal("false_done"))
    tested = found(signal("false_done"), events=[call(1, "Bash", command="pytest -q")])
    assert untested and tested
    assert (untested.name, untested.certainty, tested.certainty) == ("anti_pattern/false_done", 0.6, 0.4)
    assert untested.evidence.startswith("event 1: false_done")


def test_what_does_not_count() -> None:
    """Not a signal of another attempt, not one that a human called wrong, not one that is no habit."""
    assert found(signal("error_loop", 2)) is None
    assert found(dataclasses.replace(signal("error_loop"), is_wrong=True)) is None
    assert found(signal("regression")) is None


def test_the_library_knows_more() -> None:
    """A signal that the library detects is a habit under its name there; a category tells before its type."""
    known = {"regression": "runs-no-tests", "tamper/tests": "edits-the-test"}
    first, second = found(signal("regression"), known=known), found(signal("tamper", category="tests"), known=known)
    assert first and second
    assert (first.detail, second.detail) == ("runs-no-tests", "edits-the-test")


def test_a_judge_is_believed_as_far_as_it_is_sure() -> None:
    """What a model found counts as much less as it was less sure."""
    sure = found(dataclasses.replace(signal("error_loop"), confidence=0.5))
    assert sure
    assert sure.certainty == 0.55 * 0.5


def test_words_of_an_agent_are_bounded() -> None:
    """A description of any length does not make the evidence long."""
    told = found(signal("error_loop", description="x" * 100_000))
    assert told
    assert len(told.evidence) < 300
