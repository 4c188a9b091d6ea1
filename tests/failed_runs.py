"""Runs that went wrong, for tests: a record in a few lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from loopwright.diagnose.dossier import Dossier
from loopwright.records.bundle import Bundle
from loopwright.records.check import Check, Verdict
from loopwright.records.criterion import Criterion
from loopwright.records.event import Event, EventKind
from loopwright.records.identity import new_id
from loopwright.records.profile import Profile
from loopwright.records.proof import Proof
from loopwright.records.qa_failure import Hypothesis, QAFailure, failure_id
from loopwright.records.run import Attempt, Ending, Reason, Run, Status, Step
from loopwright.records.signal import Signal
from loopwright.records.tally import Counts
from loopwright.records.task import Task
from loopwright.run.criteria.test import TestCriteria

COMMAND = "python3 -m unittest tests.test_prices"
CRITERION = TestCriteria(COMMAND)


def at(second: int) -> str:
    return f"2026-11-16T08:00:{second:02}.000Z"


def check(
    iteration: int, evidence: str = "exited with 1", *, criterion: Criterion = CRITERION, **changes: Any
) -> Check:
    """Make a check that failed, unless told otherwise; each iteration has a tree of its own."""
    counts = (changes.pop("now", None), changes.pop("before", None))
    proof = Proof(tests=counts[0] and Counts(*counts[0]), base_tests=counts[1] and Counts(*counts[1]))
    given: dict[str, Any] = {
        "verdict": Verdict.FAIL,
        "held_out": False,
        "self_graded": False,
        "flaky": False,
        "accounting": None,
        "tree_hash": f"tree-{iteration}",
        "command": getattr(criterion, "command", None),
        "exit_code": 1,
        "output_hash": None,
        "duration_s": 0.1,
        "proof": proof,
    }
    return Check(
        id=new_id(),
        run_id="run",
        attempt_id=f"attempt-{iteration}" if iteration else None,
        iteration=iteration,
        criterion=criterion.describe(),
        criterion_hash=criterion.hash,
        kind=criterion.kind,
        evidence=evidence,
        **(given | changes),
    )


def call(seq: int, tool: str, attempt: int = 1, **given: Any) -> Event:
    """Make a tool call of an attempt."""
    told = {"command": given.pop("command", None), "path": given.get("file_path")}
    return Event(
        EventKind.TOOL_CALL, tool=tool, data={"input": given}, attempt_id=f"attempt-{attempt}", seq=seq, **told
    )


def signal(kind: str, first: int = 1, **changes: Any) -> Signal:
    given = {"severity": "medium", "description": f"{kind} was seen", "events": (first,), "at": at(3)}
    return Signal(new_id(), "run", kind, **(given | changes))


def dossier(
    checks: Sequence[Check],
    *,
    criteria: Sequence[Criterion] = (CRITERION,),
    files: Mapping[str, str] | None = None,
    diff: str = "",
    events: Sequence[Event] = (),
    signals: Sequence[Signal] = (),
    endings: Mapping[int, Ending] | None = None,
    run: Mapping[str, Any] | None = None,
    bundle: Mapping[str, Any] | None = None,
    **more: Any,
) -> Dossier:
    """Put a run together: one step, an attempt for each iteration, files as they were at the base."""
    task, known = Task("Fix the prices", criteria, "bug_fix"), files or {}
    ended = {"status": Status.ESCALATED, "reason": Reason.CRITERIA_UNMET, "ended_at": at(50)} | dict(run or {})
    profile = Profile(agent="codex", model="m")
    made = Run("run", task, profile, "r", "base", "x", "w", "", task.budget, at(0), prompt_version="v3", **ended)
    numbers = sorted({one.iteration for one in checks if one.iteration} | set(endings or {}))
    attempts = [_attempt(number, (endings or {}).get(number, Ending.FINISHED)) for number in numbers]
    whole = Bundle(
        made, [Step("step", "run", 1, "Fix the prices")], attempts, checks, events=events, signals=signals,
        **(bundle or {}),
    )  # fmt: skip
    return Dossier(whole, diff_of=lambda commit: diff, source=known.get, **more)


def _attempt(number: int, ending: Ending) -> Attempt:
    times = {"started_at": at(number * 10 - 9), "ended_at": at(number * 10 - 1)}
    return Attempt(f"attempt-{number}", "run", "step", number, ending=ending, commit=f"commit-{number}", **times)


def changed(*paths: str, line: str = "+x = 1") -> str:
    """Write a diff that changes files."""
    return "".join(f"diff --git a/{path} b/{path}\n--- a/{path}\n+++ b/{path}\n@@ -1 +1 @@\n{line}\n" for path in paths)


def failure(
    run_id: str, number: int = 1, cause: str = "code_bug", detail: str = "regression", **changes: Any
) -> QAFailure:
    """Make a failure of a run, with one hypothesis."""
    told = Hypothesis(cause, detail, 0.6, "check of iteration 1: it says so", "rule")  # type: ignore[arg-type]
    given: dict[str, Any] = {
        "at": at(number),
        "task": "Fix it",
        "task_type": "bug_fix",
        "agent": "codex",
        "model": "m",
        "failure_type": "test",
        "criterion": "test pytest",
        "description": "exited with 1",
        "diff": "+x",
        "prompt_version": "v3",
        "target": "worker/bug_fix",
        "hypotheses": (told,),
        "iterations": (1,),
    }
    return QAFailure(failure_id(run_id, f"criterion {number}"), run_id, **(given | changes))
