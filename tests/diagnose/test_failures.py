"""Failed checks and rejected outputs of a run."""

from __future__ import annotations

from typing import Any

from failed_runs import at, check, dossier
from loopwright.diagnose.failures import failures
from loopwright.records.check import Verdict
from loopwright.records.evaluation import Evaluation
from loopwright.records.feedback import Feedback
from loopwright.records.qa_failure import QAFailure
from loopwright.records.run import Reason, Status

PASSED = check(1, verdict=Verdict.PASS)
DONE = {"status": Status.DONE, "reason": Reason.CRITERIA_MET}


def critic(passed: bool | None, number: int = 1, by: str = "critic") -> Evaluation:
    return Evaluation(f"e{number}", "run", at(number), "bug_fix", passed=passed, reason=f"it says {passed}", by=by)


def rejected(*evaluations: Evaluation, checks: Any = (PASSED,), run: Any = DONE, **more: Any) -> list[QAFailure]:
    return failures(dossier(checks, run=run, bundle={"evaluations": evaluations}, **more))


def test_a_criterion_is_one_failure() -> None:
    """However often it failed, it is one failure, with all that SPEC asks for; its id is the same at each look."""
    made = dossier([check(0), check(1, "first"), check(2, "second"), check(3, verdict=Verdict.PASS)], diff="+code")
    (found,) = failures(made)
    assert (found.iterations, found.recovered, found.description) == ((1, 2), True, "second")
    assert (found.task, found.agent, found.failure_type) == ("Fix the prices", "codex", "test")
    assert (found.diff, found.prompt_version, found.target) == ("+code", "v3", "worker/bug_fix")
    assert (found.route, found.root, found.patch) == ("human", "novel in worker/bug_fix", "")
    assert failures(made)[0].id == found.id


def test_what_a_critic_rejects() -> None:
    """A no of a critic is a failure where all checks hold; its newest word counts, and no view is no no."""
    (found,) = rejected(critic(False))
    assert (found.failure_type, found.cause, found.likely.certainty) == ("review", "misunderstood", 0.5)
    assert rejected(critic(False), critic(True, 2)) == []
    assert rejected(critic(None)) == []
    assert len(rejected(critic(False), critic(False, 2, "other"))) == 2


def test_a_critic_who_says_what_the_checks_say() -> None:
    """Where a check failed anyway, a critic's no is no failure of its own."""
    (found,) = rejected(critic(False), checks=[check(1)], run={})
    assert found.failure_type == "test"


def test_what_a_human_rejects() -> None:
    """Thumbs down are a failure, whatever else failed; thumbs up after that take it back."""
    down, up = (Feedback(name, "run", at(5), is_up, "no", "ada") for name, is_up in (("a", False), ("b", True)))
    (found,) = rejected(feedback=[down])
    assert (found.criterion, found.description) == ("review by a human", "no")
    assert rejected(feedback=[down, up]) == []


def test_a_record_is_bounded() -> None:
    """Evidence and diffs of any size are cut, and say so."""
    (found,) = failures(dossier([check(1, "error\n" * 100_000)], diff="+x\n" * 1_000_000))
    assert len(found.description) <= 2_100
    assert len(found.diff) < 21_000
    assert "characters cut" in found.diff
