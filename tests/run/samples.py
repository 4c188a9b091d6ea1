"""Records for tests of what reads them."""

from __future__ import annotations

from typing import Any

from loopwright.records.check import Check, Verdict
from loopwright.records.identity import canonical_hash
from loopwright.records.run import Attempt, Ending


def check(criterion: str, iteration: int, verdict: str = "fail", **more: Any) -> Check:
    values: dict[str, Any] = {
        "id": f"{criterion}-{iteration}",
        "run_id": "r",
        "attempt_id": f"a{iteration}" if iteration else None,
        "kind": "test",
        "held_out": False,
        "self_graded": False,
        "flaky": False,
        "accounting": "exit_code",
        "evidence": f"evidence of {criterion} at {iteration}",
        "criterion_hash": canonical_hash({"criterion": criterion}),
        "tree_hash": f"tree {iteration}",
        "command": None,
        "exit_code": None,
        "output_hash": None,
        "duration_s": 0.1,
    }
    return Check(criterion=criterion, iteration=iteration, verdict=Verdict(verdict), **(values | more))


def attempt(number: int, ending: Ending | None = Ending.FINISHED, **more: Any) -> Attempt:
    return Attempt(f"a{number}", "r", "s", number, f"2026-01-01T00:00:0{number}.000Z", ending=ending, **more)
