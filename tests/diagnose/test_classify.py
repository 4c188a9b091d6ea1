"""What a step was."""

from __future__ import annotations

import dataclasses
from typing import Any

from failed_runs import at, check, dossier
from loopwright.diagnose.classify import classify
from loopwright.diagnose.failures import failures
from loopwright.records.check import Verdict
from loopwright.records.evaluation import Evaluation
from loopwright.records.qa_failure import Classification
from loopwright.records.run import Step


def classified(checks: Any, **more: Any) -> Classification:
    made = dossier(checks, **more)
    (found,) = classify(made, failures(made))
    return found


def test_the_three_classes_and_none() -> None:
    """A first go that holds is clean; one failure after three edits is the approach; all else the execution."""
    assert classified([check(1, verdict=Verdict.PASS)]).kind == "clean_pass"
    assert classified([check(number) for number in (1, 2, 3)]).kind == "architectural"
    bug = classified([check(1, now=(3, 2, 1), before=(3, 1, 2)), check(2, verdict=Verdict.PASS)])
    assert (bug.kind, bug.certainty) == ("implementation", 0.5)
    assert classified([]).kind == "not_judged"
    assert classified([check(1, verdict=Verdict.UNVERIFIABLE)]).kind == "not_judged"


def test_not_known_is_said() -> None:
    """A failure that no rule recognises is no wrong approach, and nobody is sure."""
    found = classified([check(1, "exited with 3")])
    assert (found.kind, found.certainty) == ("implementation", 0.3)


def test_a_rejected_output_is_no_clean_pass() -> None:
    """All checks hold and a critic says no: the execution is at fault."""
    no = Evaluation("e", "run", at(5), "bug_fix", passed=False, reason="no", by="critic")
    found = classified([check(1, verdict=Verdict.PASS)], run={"status": "done"}, bundle={"evaluations": [no]})
    assert found.kind == "implementation"


def test_each_step_by_its_own_checks() -> None:
    """A failure of one step does not tell of another."""
    made = dossier([check(1, verdict=Verdict.PASS), check(2, "exited with 3")])
    first, second = made.bundle.attempts
    steps = [Step("step", "run", 1, "a"), Step("other", "run", 2, "b")]
    attempts = [first, dataclasses.replace(second, step_id="other")]
    made = dataclasses.replace(made, bundle=dataclasses.replace(made.bundle, steps=steps, attempts=attempts))
    assert [one.kind for one in classify(made, failures(made))] == ["clean_pass", "implementation"]
