"""Criteria at a commit -> checks: each in a clean room, each with what was seen."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import ClassVar

import pytest
from clones import RUN, Clone

from loopwright.errors import TaskError
from loopwright.ports import Room
from loopwright.records.check import Evidence, Verdict
from loopwright.records.criterion import Criterion
from loopwright.records.environment import Environment
from loopwright.run.baseline import Baseline
from loopwright.run.criteria.file import FileCriteria
from loopwright.run.criteria.grep import GrepCriteria
from loopwright.run.criteria.test import TestCriteria
from loopwright.run.judge import Judge, Occasion
from loopwright.run.verdicts import failed
from world import Repo

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
