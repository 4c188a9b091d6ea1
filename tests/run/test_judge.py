"""Criteria at a commit -> checks: each in a clean room, each with what was seen."""

from __future__ import annotations

import dataclasses
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pytest
from clones import RUN, Clone

from loopwright.errors import TaskError
from loopwright.ports import Room
from loopwright.records.check import Check, Evidence, Verdict
from loopwright.records.criterion import Criterion
from loopwright.records.environment import Environment
from loopwright.records.tally import Counts
from loopwright.run.baseline import Baseline
from loopwright.run.criteria.file import FileCriteria
from loopwright.run.criteria.grep import GrepCriteria
from loopwright.run.criteria.test import TestCriteria
from loopwright.run.judge import Judge, Occasion
from loopwright.run.verdicts import failed, forecast
from loopwright.settings import ChecksSettings
from world import MakeRepo, Repo

HERE = Environment(platform="here")


@dataclass(frozen=True)
class Broken(Criterion):
    """One whose plug-in fails."""

    kind: ClassVar[str] = "broken"
    primary: ClassVar[str] = "how"
    how: str = "badly"

    def evaluate(self, _: Room) -> Evidence:
        raise {"badly": ZeroDivisionError("a bug"), "refused": TaskError("it leaves the repository")}[self.how]


@dataclass(frozen=True)
class Mute(Criterion):
    """One that nothing can evaluate."""

    kind: ClassVar[str] = "mute"
    primary: ClassVar[str] = "held_out"


@pytest.fixture
def judge(clone: Clone) -> Judge:
    return Judge(clone.room, clone.commit, RUN, clone.examiner(), Baseline(clone.folder / "baselines", clone.root))


def test_a_check_says_what_was_seen_and_of_what(judge: Judge, clone: Clone, project: Repo) -> None:
    """A check has the verdict and its evidence, the command and its end, and what it is about."""
    criterion = TestCriteria("sh -c 'echo seen; exit 3'")
    (check,) = judge.judge([criterion], clone.commit, Occasion(HERE, 4, "attempt"))
    assert (check.verdict, check.kind, check.exit_code, check.command) == (Verdict.FAIL, "test", 3, criterion.command)
    assert "seen" in check.evidence
    assert check.tree_hash == project.git("rev-parse", "HEAD^{tree}")
    assert (check.criterion, check.criterion_hash) == (criterion.describe(), criterion.hash)
    assert (check.run_id, check.iteration, check.attempt_id, check.environment) == (RUN, 4, "attempt", HERE)
    assert check.output_hash
    assert check.duration_s > 0


def test_the_commit_is_judged_and_not_the_workspace(judge: Judge, clone: Clone) -> None:
    """What is only in the workspace, or only in the user's checkout, does not count."""
    (clone.files / "answer").write_text("42")
    (clone.root / "answer").write_text("42")
    criteria = [FileCriteria("answer"), GrepCriteria("answer", "42")]
    assert len(failed(judge.judge(criteria, clone.commit, Occasion(HERE)))) == 2
    assert failed(judge.judge(criteria, clone.snapshot().commit, Occasion(HERE))) == []


def test_criteria_do_not_see_each_other(judge: Judge, clone: Clone) -> None:
    """What one criterion's command writes or deletes is undone before the next one looks."""
    criteria = [
        TestCriteria("sh -c 'echo forged > README.md; rm -r src; touch report.xml'"),
        FileCriteria("report.xml", exists=False),
        FileCriteria("src/app.py"),
        GrepCriteria("README.md", "# A project"),
    ]
    assert failed(judge.judge(criteria, clone.commit, Occasion(HERE))) == []


@pytest.mark.parametrize(
    ("broken", "verdict", "words"),
    [
        (Broken("badly"), Verdict.UNVERIFIABLE, "could not be evaluated"),
        (Broken("refused"), Verdict.FAIL, ""),
        (Mute(), Verdict.UNVERIFIABLE, "nothing can evaluate"),
    ],
    ids=["bug", "refusal", "nobody"],
)
def test_a_criterion_that_breaks_has_not_passed(
    broken: Criterion, verdict: Verdict, words: str, judge: Judge, clone: Clone
) -> None:
    """A plug-in's failure is a verdict with its reason, never a pass, and the others are still judged."""
    first, second = judge.judge([broken, FileCriteria("README.md")], clone.commit, Occasion(HERE))
    assert first.verdict is verdict
    assert words in first.evidence
    assert second.verdict is Verdict.PASS
    assert failed([first, second]) == [first]


def test_an_agent_that_writes_its_own_exam_is_noted(judge: Judge, clone: Clone) -> None:
    """A criterion whose file is not there at the base is marked as self-graded, also when the file has come."""
    (clone.files / "check.sh").write_text("exit 0")
    commit = clone.snapshot().commit
    exam, known = judge.judge([TestCriteria("sh check.sh"), TestCriteria("sh run.sh")], commit, Occasion(HERE))
    assert (exam.verdict, exam.self_graded) == (Verdict.PASS, True)
    assert not known.self_graded
    (again,) = judge.judge([TestCriteria("sh check.sh")], commit, Occasion(HERE))
    assert again.self_graded


def test_a_cancelled_run_is_not_judged_further(clone: Clone) -> None:
    """After a cancel no further criterion is begun, and the one that was cut short is not recorded."""
    judge = Judge(clone.room, clone.commit, RUN, clone.examiner(), Baseline(clone.folder / "baselines", clone.root))
    criteria = [FileCriteria("README.md"), TestCriteria("sleep 30"), FileCriteria("README.md")]
    threading.Timer(0.5, clone.room.cancel.set).start()
    checks = judge.judge(criteria, clone.commit, Occasion(HERE))
    assert [check.kind for check in checks] == ["file"]
    assert judge.judge(criteria, clone.commit, Occasion(HERE)) == []


UNITTEST = f"{sys.executable} -m unittest"
CALC = "def add(a, b):\n    return a - b\n"
TEST_CALC = (
    "import unittest\nfrom calc import add\n\n\nclass Calc(unittest.TestCase):\n"
    "    def test_add(self):\n        self.assertEqual(add(2, 2), 4)\n\n"
    "    def test_zero(self):\n        self.assertEqual(add(0, 0), 0)\n"
)
NEW_TEST = "import unittest\n\n\nclass New(unittest.TestCase):\n    def test_new(self):\n        self.assert{}(True)\n"
CRITERION = TestCriteria(UNITTEST, timeout_s=60)


class Court:
    """A judge over a project with tests of unittest, and an agent's workspace."""

    def __init__(self, clone: Clone, settings: ChecksSettings) -> None:
        self.clone, self.base = clone, clone.commit
        self.baseline = Baseline(clone.folder / "baselines", clone.root)
        self.judge = Judge(clone.room, self.base, RUN, clone.examiner(), self.baseline, settings)

    def write(self, **files: str) -> None:
        for name, text in files.items():
            (self.clone.files / f"{name}.py").write_text(text)

    def judged(self, *criteria: Criterion) -> list[Check]:
        return self.judge.judge(criteria or [CRITERION], self.clone.snapshot().commit, Occasion(HERE, 1))

    def proven(self, *criteria: Criterion) -> list[Check]:
        checks = self.judged(*criteria)
        assert failed(checks) == []
        return self.judge.prove(criteria or [CRITERION], checks)


MakeCourt = Callable[..., Court]


@pytest.fixture
def court(make_repo: MakeRepo, make_clone: Callable[[Path], Clone]) -> MakeCourt:
    """Give a function that opens a court; its settings may be given."""

    def make(**settings: Any) -> Court:
        repo = make_repo("project")
        repo.write("calc.py", CALC)
        repo.write("test_calc.py", TEST_CALC)
        repo.write(".gitignore", "__pycache__/\n.venv/\n")
        repo.write(".venv/lib/site.py", "x\n")
        repo.commit()
        clone = make_clone(repo.root)
        clone.prepare()
        return Court(clone, ChecksSettings(**settings))

    return make


def test_a_preflight_is_remembered(court: MakeCourt, tmp_path: Path) -> None:
    """The base is looked at once; the next run recalls verdict, counts and what its tests came to."""
    made, trace = court(), tmp_path / "trace"
    counted = TestCriteria(f"sh -c 'echo x >> {trace}; {UNITTEST}'", timeout_s=60)
    (first,) = made.judge.preflight([CRITERION], HERE)
    made.judge.preflight([counted], HERE)
    assert (first.verdict, first.iteration, first.attempt_id) == (Verdict.FAIL, 0, None)
    assert first.proof.tests == first.proof.base_tests == Counts(2, 1, 1, 0)
    again = Judge(made.clone.room, made.base, RUN, made.clone.examiner(), made.baseline)
    made.clone.room.accounts.base.clear()
    looks = trace.read_text()
    (second,) = again.preflight([CRITERION], HERE)
    again.preflight([counted], HERE)
    assert trace.read_text() == looks
    assert dataclasses.replace(second, id=first.id) == first
    recalled = made.clone.room.accounts.base[CRITERION.command]
    assert recalled is not None
    assert recalled.named("failed") == {"test_calc.Calc.test_add"}
    again.preflight([counted], Environment(platform="elsewhere"))
    assert trace.read_text() != looks


def test_what_is_judged_is_held_against_a_recalled_base(court: MakeCourt) -> None:
    """Tests that are gone are missed, also where the base was recalled from an earlier run."""
    made = court()
    made.judge.preflight([CRITERION], HERE)
    made.clone.room.accounts.base.clear()
    made.judge.preflight([CRITERION], HERE)
    made.write(calc="def add(a, b):\n    import unittest\n    raise unittest.SkipTest\n")
    (check,) = made.judged()
    assert check.verdict is Verdict.FAIL
    assert "skip" in check.evidence or "no test has passed" in check.evidence


def test_an_own_exam_is_refused(court: MakeCourt) -> None:
    """Where the settings refuse it, a criterion that the agent's own file decides is unverifiable, and not run."""
    made = court(self_graded="refuse")
    own = TestCriteria("sh check.sh")
    checks = made.judge.preflight([own, CRITERION], HERE)
    assert [check.verdict for check in checks] == [Verdict.UNVERIFIABLE, Verdict.FAIL]
    assert "check.sh" in checks[0].evidence and "self_graded" in checks[0].evidence
    (allowed,) = court_again(made, self_graded="allow").preflight([own], HERE)
    assert (allowed.verdict, allowed.self_graded) == (Verdict.FAIL, True)


def court_again(made: Court, **settings: Any) -> Judge:
    room, examiner = made.clone.room, made.clone.examiner()
    return Judge(
        room, made.base, RUN, dataclasses.replace(examiner, base=made.base), made.baseline, ChecksSettings(**settings)
    )


def test_two_passes(court: MakeCourt) -> None:
    """Work that meets the old tests passes among them and then with its own; both trees and counts are recorded."""
    made = court()
    made.judge.preflight([CRITERION], HERE)
    made.write(calc=CALC.replace("-", "+"), test_new=NEW_TEST.format("True"))
    (check,) = made.judged()
    assert check.verdict is Verdict.PASS
    assert (check.proof.tests, check.proof.base_tests) == (Counts(2, 2, 0, 0), Counts(2, 1, 1, 0))
    assert check.proof.new_tests_tree == check.tree_hash != check.proof.judged_tree
    assert (check.proof.place, check.accounting) == ("relocate", "report")


def test_a_new_test_that_fails(court: MakeCourt) -> None:
    """A test that the agent brought and that fails is a failure, and said to be among the added ones."""
    made = court()
    made.write(calc=CALC.replace("-", "+"), test_new=NEW_TEST.format("False"))
    (check,) = made.judged()
    assert check.verdict is Verdict.FAIL
    assert check.evidence.startswith("with the tests that were added: ")


def test_new_tests_do_not_help_in_the_first_pass(court: MakeCourt) -> None:
    """What fails among the tests of the base fails, whatever new test modules would do about it."""
    made = court()
    made.write(test_aaa="import calc\ncalc.add = lambda a, b: a + b\n" + NEW_TEST.format("True"))
    (check,) = made.judged()
    assert check.verdict is Verdict.FAIL
    assert "added" not in check.evidence


def test_tampering_taints_what_holds(court: MakeCourt) -> None:
    """Work that holds with the tests put back is tainted where they were changed; what fails has failed."""
    made = court()
    made.write(calc=CALC.replace("-", "+"), test_calc="")
    (tainted, looked_at) = made.judged(CRITERION, FileCriteria("calc.py"))
    assert (tainted.verdict, looked_at.verdict) == (Verdict.TAINTED, Verdict.TAINTED)
    assert "test_calc.py was changed" in tainted.evidence
    assert [item.path for item in tainted.proof.tampering] == ["test_calc.py"]
    made.write(calc=CALC)
    (unmet,) = made.judged()
    assert (unmet.verdict, len(unmet.proof.tampering)) == (Verdict.FAIL, 1)
    assert "test_calc.py" in made.judge.show_tampering(made.clone.commit, ["test_calc.py", "test_calc.py"])


def test_a_proof(court: MakeCourt) -> None:
    """An honest runner reports the test that was made to fail, and all stays; what is looked at is not tried."""
    made = court()
    made.write(calc=CALC.replace("-", "+"))
    tried, looked_at = made.proven(CRITERION, FileCriteria("calc.py"))
    assert (tried.verdict, looked_at.verdict) == (Verdict.PASS, Verdict.PASS)
    assert tried.proof.sabotage.endswith("was made to fail, and was seen to")
    assert looked_at.proof.sabotage == ""


def test_a_runner_that_lies(court: MakeCourt) -> None:
    """A runner that product code has patched is found out: the check is tainted, with what was tried."""
    made = court()
    lie = (
        "import unittest\nunittest.TestCase.run = lambda s, r=None: (r.startTest(s), r.addSuccess(s), r.stopTest(s))\n"
    )
    made.write(calc=lie + CALC)
    (check,) = made.proven()
    assert check.verdict is Verdict.TAINTED
    assert "was made to fail, and the command exited with 0" in check.evidence


def test_no_sabotage_where_it_is_off(court: MakeCourt) -> None:
    """Settings that turn it off leave the checks as they are."""
    made = court(sabotage=False)
    made.write(calc=CALC.replace("-", "+"))
    (check,) = made.proven()
    assert (check.verdict, check.proof.sabotage) == (Verdict.PASS, "")


@pytest.mark.parametrize("sabotage", [True, False])
def test_dependencies_that_were_touched_taint(sabotage: bool, court: MakeCourt) -> None:
    """What is installed must be the same at the end as before the agent began; bytecode does not count."""
    made = court(sabotage=sabotage)
    made.judge.remember_dependencies(made.clone.folder / "dependencies.json")
    made.write(calc=CALC.replace("-", "+"))
    (made.clone.root / ".venv" / "__pycache__").mkdir()
    (made.clone.root / ".venv" / "__pycache__" / "x.pyc").touch()
    assert failed(made.proven()) == []
    (made.clone.root / ".venv" / "lib" / "site.py").write_text("y\n")
    (check,) = made.proven()
    assert check.verdict is Verdict.TAINTED
    assert ".venv/lib/site.py was changed" in check.evidence


def test_a_proof_in_a_place_that_cannot_be_reset(court: MakeCourt, tmp_path: Path) -> None:
    """A set-up that breaks while a runner is put to the proof makes the check unverifiable, and breaks nothing."""
    made = court()
    made.clone.room.site = dataclasses.replace(made.clone.room.site, reset=f"test ! -e {tmp_path}/stop")
    made.write(calc=CALC.replace("-", "+"))
    checks = made.judged()
    (tmp_path / "stop").touch()
    (check,) = made.judge.prove([CRITERION], checks)
    assert check.verdict is Verdict.UNVERIFIABLE
    assert "reset failed" in check.evidence


def test_a_forecast(court: MakeCourt) -> None:
    """What was seen at the base says what there is to do and how long a check takes."""
    checks = court().judge.preflight([CRITERION, FileCriteria("calc.py")], HERE)
    said = forecast([dataclasses.replace(check, duration_s=1.5) for check in checks])
    assert said == "forecast: 1 of 2 criteria to meet, 2 tests; checking takes about 3.0 s each time"
