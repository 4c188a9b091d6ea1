"""A judge outside of a run: the same rules, and nothing left behind."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

import pytest
from clones import fingerprint

from loopwright.errors import RepositoryError
from loopwright.records.check import Verdict
from loopwright.records.task import Task
from loopwright.run.bench import Bench
from loopwright.run.criteria.file import FileCriteria
from loopwright.run.criteria.test import TestCriteria
from loopwright.run.git import Repository
from loopwright.settings import ChecksSettings
from world import Repo

RUN_SH = TestCriteria("sh run.sh")


@pytest.fixture
def bench(project: Repo, tmp_path: Path) -> Bench:
    """Give a bench over the project."""
    cache = tmp_path / "cache"
    return Bench(Repository.find(project.root), tmp_path / "home", cache, ChecksSettings(), threading.Event())


def check(bench: Bench, *criteria: TestCriteria | FileCriteria, **task: object) -> list[Verdict]:
    root = bench.repository.root
    given = Task("x", criteria or [RUN_SH], **task)  # type: ignore[arg-type]
    return [item.verdict for item in bench.check(given, bench.repository.commit("HEAD"), root)]


def test_the_folder_is_judged_as_it_is(bench: Bench, project: Repo) -> None:
    """Changes in no commit count, what git ignores does not, and the folder and its git are as they were."""
    project.write("new.txt", "x")
    project.write("ignored.log", "x")
    project.write("hidden", "x")
    (project.root / ".git" / "info").mkdir(exist_ok=True)
    (project.root / ".git" / "info" / "exclude").write_text("hidden\n")
    before = fingerprint(project.root)
    files = [FileCriteria(name) for name in ("new.txt", "ignored.log", "hidden")]
    assert check(bench, *files) == [Verdict.PASS, Verdict.FAIL, Verdict.FAIL]
    assert fingerprint(project.root) == before
    assert list((bench.cache / "benches").iterdir()) == []


def test_the_rules_of_a_run(bench: Bench, project: Repo) -> None:
    """What a criterion runs is protected; what is held out is not looked at; globs of the task count."""
    project.write("run.sh", "exit 0\n# changed\n")
    assert check(bench) == [Verdict.TAINTED]
    assert check(bench, allow=["run.sh"]) == [Verdict.PASS]
    hidden = TestCriteria("false", held_out=True)
    assert check(bench, FileCriteria("run.sh"), hidden) == [Verdict.PASS]
    assert check(bench, FileCriteria("run.sh"), protect=["*.sh"]) == [Verdict.TAINTED]


def test_product_folders_are_told_from_tests_by_the_base(bench: Bench, project: Repo) -> None:
    """A `test/` package without tests at the base is the product's, and one with tests is not."""
    project.write("lib/test/__init__.py", "")
    project.write("lib/test/client.py", "x\n")
    project.write("other/test/test_a.py", "x\n")
    project.write("other/test/data.json", "x\n")
    project.commit()
    project.write("lib/test/client.py", "y\n")
    assert check(bench, FileCriteria("run.sh")) == [Verdict.PASS]
    project.write("other/test/data.json", "y\n")
    assert check(bench, FileCriteria("run.sh")) == [Verdict.TAINTED]


def test_the_base_is_recalled(bench: Bench, tmp_path: Path) -> None:
    """The second check of the same base does not look at it again."""
    trace = tmp_path / "trace"
    counting = TestCriteria(f"sh -c 'echo x >> {trace}'")
    check(bench, counting)
    first = len(trace.read_text())
    check(bench, counting)
    assert len(trace.read_text()) == first + first // 2
    assert len(list((bench.home / "baselines").iterdir())) == 1


def test_a_runner_is_put_to_the_proof(bench: Bench, project: Repo) -> None:
    """When all holds, a test is made to fail, in a tree that nobody else sees."""
    case = "import unittest\nclass A(unittest.TestCase):\n    def test_a(self): pass\n"
    project.write("test_a.py", case)
    base = project.commit()
    task = Task("x", [TestCriteria(f"{sys.executable} -m unittest", timeout_s=60)])
    (found,) = bench.check(task, base, project.root)
    assert (found.verdict, found.proof.sabotage) == (
        Verdict.PASS,
        "`test_a.A.test_a` was made to fail, and was seen to",
    )
    assert (project.root / "test_a.py").read_text() == case


def test_nothing_is_left_when_it_breaks(bench: Bench) -> None:
    """A base that is not there is an error, and the folder is gone all the same."""
    with pytest.raises(RepositoryError):
        bench.check(Task("x", [RUN_SH]), "1" * 40, bench.repository.root)
    assert list((bench.cache / "benches").iterdir()) == []
