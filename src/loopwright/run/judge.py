"""Criteria + a commit -> checks. Each looks at an exam of the commit; a runner that says pass is put to the proof."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from loopwright.errors import RepositoryError, SetupError
from loopwright.records.check import Check, Evidence, Verdict
from loopwright.records.criterion import Criterion
from loopwright.records.environment import Environment
from loopwright.records.identity import new_id
from loopwright.records.proof import Proof, Tampering
from loopwright.records.tally import Counts, Tally
from loopwright.run.baseline import Baseline, Known, Tallies
from loopwright.run.checkroom import Checkroom
from loopwright.run.dependencies import FOLDERS
from loopwright.run.exam import Exam, Examiner
from loopwright.run.look import look
from loopwright.run.sabotage import sabotage
from loopwright.run.tree import TREES
from loopwright.run.verdicts import failed
from loopwright.settings import ChecksSettings

_SHOWN = 20
_BROUGHT = tuple(f"{name}/" for name in FOLDERS)
"""What git does not hold and every clone gets."""


@dataclass(frozen=True)
class Occasion:
    """When and where criteria are evaluated."""

    environment: Environment
    iteration: int = 0
    """0: the preflight."""
    attempt_id: str | None = None
    advisory: bool = False


class Judge:
    """Evaluates criteria at a commit and writes down what was seen."""

    def __init__(
        self,
        room: Checkroom,
        base: str,
        run_id: str,
        examiner: Examiner,
        baseline: Baseline,
        checks: ChecksSettings = ChecksSettings(),
    ) -> None:
        self._room, self._base, self._run_id, self._examiner = room, base, run_id, examiner
        self._baseline, self._settings = baseline, checks
        self._self_graded: dict[str, bool] = {}
        self.masked = room.masked  # what was seen, without secrets
        self.stop = room.cancel  # what is looked at when it is set gets no verdict
        room.accounts.is_free, room.base = examiner.is_free, base

    @property
    def place(self) -> Path:
        """Where the criteria look."""
        return self._room.root

    def open_room(self) -> None:
        """Have the room ready for the first look; what goes wrong shows when that is taken."""
        with suppress(SetupError, RepositoryError):
            self._room.enter(self._base_tree())

    def remember_dependencies(self, kept: Path) -> None:
        """Note what is installed before the agent starts."""
        self._room.remember(kept)

    def preflight(self, criteria: Sequence[Criterion], environment: Environment) -> list[Check]:
        """Look at the base, where that is not known from an earlier run; what its tests come to is remembered."""
        checks: list[Check] = []
        tree = self._base_tree()
        for criterion in criteria:
            if self._room.cancel.is_set():
                break
            key = self._baseline.key(tree, criterion.hash, environment)
            known = self._baseline.recall(key) or self._first_look(criterion, tree)
            if self._room.cancel.is_set():
                break
            self._baseline.keep(key, known)
            self._room.accounts.base.update(known.tallies)
            counts = _sum([tally.counts for tally in known.tallies.values() if tally])
            proof = Proof(judged_tree=tree, tests=counts, base_tests=counts)
            occasion = Occasion(environment)
            checks.append(self._check(criterion, self._base, known.evidence, proof, occasion, known.duration_s))
        self._leave(criteria)
        return checks

    def judge(self, criteria: Sequence[Criterion], commit: str, occasion: Occasion) -> list[Check]:
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
            checks.append(self._check(criterion, commit, seen, proof, occasion, time.monotonic() - started))
        self._leave(criteria)
        return checks

    def prove(self, criteria: Sequence[Criterion], checks: Sequence[Check]) -> list[Check]:
        """Put what checks that all hold stand on to the proof: what is installed, bytecode, and the runners."""
        try:
            return self._proven(criteria, checks)
        finally:
            self._leave(criteria)

    def _proven(self, criteria: Sequence[Criterion], checks: Sequence[Check]) -> list[Check]:
        changed, has_new_bytecode = self._room.changed_dependencies()
        if tampering := [item for item in changed if self._examiner.accepted.get(item.path) != item.content]:
            return [_touched(check, tampering) for check in checks]
        if has_new_bytecode:
            checks = self._without_bytecode(criteria, checks)
            if failed(checks):
                return list(checks)
        if not self._settings.sabotage:
            return list(checks)
        by_hash = {criterion.hash: criterion for criterion in criteria}
        proven = []
        for check in checks:
            criterion, tree = by_hash[check.criterion_hash], check.proof.judged_tree
            try:
                outcome = sabotage(criterion, tree, self._room, is_flaky=check.flaky)
            except SetupError as error:
                proven.append(dataclasses.replace(check, verdict=Verdict.UNVERIFIABLE, evidence=error.message))
                continue
            if outcome is not None:
                check = dataclasses.replace(check, proof=dataclasses.replace(check.proof, sabotage=outcome.text))
                if not outcome.held:
                    check = dataclasses.replace(check, verdict=Verdict.TAINTED, evidence=outcome.text)
            proven.append(check)
        return proven

    def _without_bytecode(self, criteria: Sequence[Criterion], checks: Sequence[Check]) -> list[Check]:
        """Look once more, with everything compiled anew: bytecode could be of other code than lies beside it."""
        self._room.distrusts_bytecode = True
        by_hash = {criterion.hash: criterion for criterion in criteria}
        again = []
        for check in checks:
            seen = self._seen(by_hash[check.criterion_hash], check.proof.judged_tree)
            words = f"without the bytecode that came while the agent was at work: {seen.text}"
            held = seen.verdict is Verdict.PASS
            again.append(check if held else dataclasses.replace(check, verdict=seen.verdict, evidence=words))
        return again

    def show_tampering(self, commit: str, paths: Sequence[str]) -> str:
        """Show what was done to protected files, as a diff."""
        return self._examiner.diff(commit, list(dict.fromkeys(paths)))

    def _leave(self, criteria: Sequence[Criterion]) -> None:
        if any(criterion.held_out for criterion in criteria):
            self._room.close()  # what its command left behind is not for the agent to find

    def _check(
        self,
        criterion: Criterion,
        commit: str,
        seen: Evidence,
        proof: Proof,
        occasion: Occasion,
        duration_s: float = 0.0,
    ) -> Check:
        return Check(
            id=new_id(),
            run_id=self._run_id,
            attempt_id=occasion.attempt_id,
            iteration=occasion.iteration,
            criterion=criterion.describe(),
            kind=criterion.kind,
            verdict=seen.verdict,
            held_out=criterion.held_out,
            self_graded=self._is_self_graded(criterion),
            flaky=seen.flaky,
            accounting=seen.accounting,
            evidence=self._room.masker.text(seen.text, self._room.masked),
            criterion_hash=criterion.hash,
            tree_hash=self._base_tree() if commit == self._base else self._room.tree_of(commit),
            command=seen.command,
            exit_code=seen.exit_code,
            output_hash=seen.output_hash,
            duration_s=round(duration_s, 3),
            environment=occasion.environment,
            proof=proof,
            advisory=occasion.advisory,
        )

    def _base_tree(self) -> str:
        if self._base not in TREES:
            tree = self._room.repository.git("rev-parse", f"{self._base}^{{tree}}")
            TREES[self._base] = TREES[tree] = tree
        return TREES[self._base]

    def _exam(self, commit: str) -> Exam:
        if commit == self._base:
            return Exam(self._base_tree(), self._base_tree())
        return self._examiner.exam(commit)

    def _first_look(self, criterion: Criterion, tree: str) -> Known:
        started = time.monotonic()
        seen, _ = self._look(criterion, Exam(tree, tree))
        tallies = {command: self._room.tallies.get(command) for command in _commands(criterion)}
        return Known(seen, tallies, round(time.monotonic() - started, 3))

    def _look(self, criterion: Criterion, exam: Exam) -> tuple[Evidence, Proof]:
        """Look at one tree after the other, as long as it holds."""
        if self._settings.self_graded == "refuse" and self._is_self_graded(criterion):
            return _own_exam(criterion), Proof()
        trees, commands = self._trees(criterion, exam), _commands(criterion)
        counts, first = None, dict[str, Tally | None]()
        for number, tree in enumerate(trees):
            seen = self._seen(criterion, tree)
            if number == 0:
                counts = _total(self._room.tallies, criterion)
                first = {command: self._room.tallies.get(command) for command in commands}
            elif seen.verdict is not Verdict.PASS:
                seen = dataclasses.replace(seen, text=f"with the tests that were added: {seen.text}")
            if seen.verdict is not Verdict.PASS:
                break
        self._room.tallies.update(first)  # the first tree is put to the proof, not the one with the agent's own tests
        proof = Proof(
            place=self._room.place_name,
            judged_tree=trees[0],
            new_tests_tree=trees[1] if len(trees) > 1 else "",
            tests=counts,
            base_tests=_total(self._room.accounts.base, criterion),
            tampering=exam.tampering,
            left_out=exam.left_out,
        )
        return seen, proof

    def _seen(self, criterion: Criterion, tree: str) -> Evidence:
        try:
            self._room.enter(tree)
        except SetupError as error:  # at the base, nothing can be told; later on the agent has broken it
            verdict = Verdict.UNVERIFIABLE if tree == self._base_tree() else Verdict.FAIL
            return Evidence(verdict, error.message)
        return look(criterion, self._room)

    def _trees(self, criterion: Criterion, exam: Exam) -> list[str]:
        """What is only looked at is looked at as a whole; so is what only the agent's own tests can decide."""
        if not criterion.tests() or self._is_self_graded(criterion):
            return [exam.second]
        return list(dict.fromkeys((exam.first, exam.second)))

    def _is_self_graded(self, criterion: Criterion) -> bool:
        known = self._self_graded.get(criterion.hash)
        if known is None:
            repository = self._room.repository
            own = [name for name in criterion.own_files() if not name.startswith(_BROUGHT)]
            known = any(not repository.has(self._base, name) for name in own)
            self._self_graded[criterion.hash] = known
        return known


def _touched(check: Check, tampering: Sequence[Tampering]) -> Check:
    words = "\n".join(
        ["what is installed was changed, and the tests run it:", *(f"  {item.told}" for item in tampering[:_SHOWN])]
    )
    proof = dataclasses.replace(check.proof, tampering=tuple(tampering))
    return dataclasses.replace(check, verdict=Verdict.TAINTED, evidence=words, proof=proof)


def _tainted(exam: Exam) -> str:
    return "\n".join(
        ["it holds with protected files as the base has them, but they were changed:"]
        + [f"  {item.told}" for item in exam.tampering]
    )


def _own_exam(criterion: Criterion) -> Evidence:
    words = f"the agent would write its own exam ({', '.join(criterion.own_files())})"
    return Evidence(Verdict.UNVERIFIABLE, f'{words}, and [checks] self_graded = "refuse": commit the test first')


def _commands(criterion: Criterion) -> list[str]:
    return [str(getattr(test, "command", "")) for test in criterion.tests()]


def _total(tallies: Tallies, criterion: Criterion) -> Counts | None:
    return _sum([tally.counts for command in _commands(criterion) if (tally := tallies.get(command))])


def _sum(counts: Sequence[Counts]) -> Counts | None:
    if not counts:
        return None
    return Counts(*(sum(values) for values in zip(*(dataclasses.astuple(item) for item in counts), strict=True)))
