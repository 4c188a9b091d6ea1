"""Criteria + a commit -> checks. Each looks at an exam of the commit; a runner that says pass is put to the proof."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Sequence
from pathlib import Path

from loopwright.records.check import Check, Evidence, Verdict
from loopwright.records.criterion import Criterion
from loopwright.records.environment import Environment
from loopwright.records.event import Event, EventKind
from loopwright.records.identity import new_id
from loopwright.records.proof import Proof
from loopwright.records.tally import Counts, Tally
from loopwright.run.checkroom import Checkroom
from loopwright.run.dependencies import FOLDERS
from loopwright.run.exam import Exam, Examiner
from loopwright.run.look import look
from loopwright.run.sabotage import sabotage

_BROUGHT = tuple(f"{name}/" for name in FOLDERS)
"""What git does not hold and every clone gets."""


class Judge:
    """Evaluates criteria at a commit and writes down what was seen."""

    def __init__(self, room: Checkroom, base: str, run_id: str, examiner: Examiner) -> None:
        self._room, self._base, self._run_id, self._examiner = room, base, run_id, examiner
        self._self_graded: dict[str, bool] = {}

    @property
    def place(self) -> Path:
        """Where the criteria look."""
        return self._room.root

    def judge(
        self,
        criteria: Sequence[Criterion],
        commit: str,
        environment: Environment,
        iteration: int = 0,
        attempt_id: str | None = None,
    ) -> list[Check]:
        """Evaluate criteria one after the other; stops between two of them when the run is cancelled."""
        checks: list[Check] = []
        exam = self._exam(commit)
        for criterion in criteria:
            if self._room.cancel.is_set():
                break
            started = time.monotonic()
            seen, proof = self._look(criterion, exam)
            if self._room.cancel.is_set():
                break
            if seen.verdict is Verdict.PASS and exam.tampering:
                seen = dataclasses.replace(seen, verdict=Verdict.TAINTED, text=_tainted(exam))
            check = Check(
                id=new_id(),
                run_id=self._run_id,
                attempt_id=attempt_id,
                iteration=iteration,
                criterion=criterion.describe(),
                kind=criterion.kind,
                verdict=seen.verdict,
                held_out=criterion.held_out,
                self_graded=self._is_self_graded(criterion),
                flaky=seen.flaky,
                accounting=seen.accounting,
                evidence=seen.text,
                criterion_hash=criterion.hash,
                tree_hash=self._room.tree_of(commit),
                command=seen.command,
                exit_code=seen.exit_code,
                output_hash=seen.output_hash,
                duration_s=round(time.monotonic() - started, 3),
                environment=environment,
                proof=proof,
            )
            checks.append(check)
        if any(criterion.held_out for criterion in criteria):
            self._room.close()  # what its command left behind is not for the agent to find
        return checks

    def prove(self, criteria: Sequence[Criterion], checks: Sequence[Check]) -> list[Check]:
        """Put the runners behind checks that all hold to the proof: a test that was made to fail must be seen to."""
        by_hash = {criterion.hash: criterion for criterion in criteria}
        proven = []
        for check in checks:
            outcome = sabotage(by_hash[check.criterion_hash], check.proof.judged_tree, self._room)
            if outcome is not None:
                check = dataclasses.replace(check, proof=dataclasses.replace(check.proof, sabotage=outcome.text))
                if not outcome.held:
                    check = dataclasses.replace(check, verdict=Verdict.TAINTED, evidence=outcome.text)
            proven.append(check)
        if any(check.held_out for check in checks):
            self._room.close()
        return proven

    def _exam(self, commit: str) -> Exam:
        if commit != self._base:
            return self._examiner.exam(commit)
        tree = self._room.tree_of(commit)
        return Exam(tree, tree)

    def _look(self, criterion: Criterion, exam: Exam) -> tuple[Evidence, Proof]:
        """Look at one tree after the other, as long as it holds."""
        trees = self._trees(criterion, exam)
        commands = [str(getattr(test, "command", "")) for test in criterion.tests()]
        counts, first = None, dict[str, Tally | None]()
        for number, tree in enumerate(trees):
            self._room.enter(tree)
            seen = look(criterion, self._room)
            if number == 0:
                counts = self._counts(commands)
                first = {command: self._room.tallies.get(command) for command in commands}
            elif seen.verdict is not Verdict.PASS:
                seen = dataclasses.replace(seen, text=f"with the tests that were added: {seen.text}")
            if seen.verdict is not Verdict.PASS:
                break
        self._room.tallies.update(first)  # the first tree is put to the proof, not the one with the agent's own tests
        if exam.first == exam.second == self._room.tree_of(self._base):
            self._room.accounts.base.update((command, self._room.tallies.get(command)) for command in commands)
        proof = Proof(
            place=self._room.place.name,
            judged_tree=trees[0],
            new_tests_tree=trees[1] if len(trees) > 1 else "",
            tests=counts,
            base_tests=self._base_counts(commands),
            tampering=exam.tampering,
            left_out=exam.left_out,
        )
        return seen, proof

    def _trees(self, criterion: Criterion, exam: Exam) -> list[str]:
        """What is only looked at is looked at as a whole; so is what only the agent's own tests can decide."""
        if not criterion.tests() or self._is_self_graded(criterion):
            return [exam.second]
        return list(dict.fromkeys((exam.first, exam.second)))

    def _counts(self, commands: Sequence[str]) -> Counts | None:
        return _sum([tally.counts for command in commands if (tally := self._room.tallies.get(command))])

    def _base_counts(self, commands: Sequence[str]) -> Counts | None:
        return _sum([tally.counts for command in commands if (tally := self._room.accounts.base.get(command))])

    def _is_self_graded(self, criterion: Criterion) -> bool:
        known = self._self_graded.get(criterion.hash)
        if known is None:
            repository = self._room.repository
            own = [name for name in criterion.own_files() if not name.startswith(_BROUGHT)]
            known = any(not repository.has(self._base, name) for name in own)
            self._self_graded[criterion.hash] = known
        return known


def failed(checks: Sequence[Check]) -> list[Check]:
    """Those that do not hold."""
    return [check for check in checks if check.verdict is not Verdict.PASS]


def last_checks(checks: Sequence[Check]) -> list[Check]:
    """Those of the last iteration that was judged; where it was judged again, the newest for each criterion."""
    newest = {
        check.criterion_hash: check
        for check in checks
        if (check.iteration, check.tree_hash) == (checks[-1].iteration, checks[-1].tree_hash)
    }
    return list(newest.values())


def verdict_event(check: Check) -> Event:
    """Tell of a check as of one thing that happened."""
    data = {"verdict": check.verdict, "criterion_hash": check.criterion_hash, "held_out": check.held_out}
    failing = check.verdict is not Verdict.PASS
    text = f"{check.verdict}: {check.criterion}"
    return Event(EventKind.VERDICT, text, is_error=failing, duration_s=check.duration_s, data=data)


def _tainted(exam: Exam) -> str:
    return "\n".join(
        ["it holds with protected files as the base has them, but they were changed:"]
        + [f"  {item.path} was {item.how}" for item in exam.tampering]
    )


def _sum(counts: Sequence[Counts]) -> Counts | None:
    if not counts:
        return None
    return Counts(*(sum(values) for values in zip(*(dataclasses.astuple(item) for item in counts), strict=True)))
