"""One evaluation of a criterion, with its evidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from loopwright.records.environment import Environment
from loopwright.records.proof import Proof
from loopwright.records.tally import Accounting


class Verdict(StrEnum):
    """What an evaluation concluded. Only PASS counts towards done."""

    PASS = "pass"
    FAIL = "fail"
    TAINTED = "tainted"
    UNVERIFIABLE = "unverifiable"

    @property
    def mark(self) -> str:
        """One sign for it, in lists."""
        return {"pass": "✓", "fail": "✗", "tainted": "⚠", "unverifiable": "?"}[self]


@dataclass(frozen=True)
class Evidence:
    """What a criterion saw when it looked at a tree."""

    verdict: Verdict
    text: str
    """The reason, short enough to be put before an agent or a person."""
    command: str | None = None
    exit_code: int | None = None
    output_hash: str | None = None
    accounting: Accounting | None = None
    """How the tests were counted; None where nothing is counted."""
    flaky: bool = False
    """It failed and passed at the same tree."""
    timed_out: bool = False


@dataclass(frozen=True)
class Check:
    """An evaluation as it is recorded: evidence, and of what."""

    id: str
    run_id: str
    attempt_id: str | None
    """None for the preflight, which looks at the base commit."""
    iteration: int
    criterion: str
    """The criterion in words."""
    kind: str
    verdict: Verdict
    held_out: bool
    self_graded: bool
    """The file that decides does not exist at the base: the agent wrote its own exam."""
    flaky: bool
    accounting: Accounting | None
    evidence: str
    criterion_hash: str
    tree_hash: str
    command: str | None
    exit_code: int | None
    output_hash: str | None
    duration_s: float
    environment: Environment = field(default_factory=Environment)
    proof: Proof = Proof()
    advisory: bool = False
    """Whether it is only told, and decides nothing."""

    @property
    def remarks(self) -> str:
        """What is special about it, in brackets; empty where nothing is."""
        marks = ("advisory", "held_out", "self_graded", "flaky")
        marked = [name.replace("_", "-") for name in marks if getattr(self, name)]
        if self.proof.tests:
            marked.insert(0, f"{self.proof.tests.collected} test{'s' if self.proof.tests.collected != 1 else ''}")
        return f" ({', '.join(marked)})" if marked else ""


def last_checks(checks: Sequence[Check]) -> list[Check]:
    """Those of the last iteration that was judged; where it was judged again, the newest for each criterion."""
    newest = {
        check.criterion_hash: check
        for check in checks
        if (check.iteration, check.tree_hash) == (checks[-1].iteration, checks[-1].tree_hash)
    }
    return list(newest.values())
