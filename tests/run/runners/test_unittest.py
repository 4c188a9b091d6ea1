"""unittest for real: what is reported of each test, and a test that is made to fail."""

from __future__ import annotations

import random
import shlex
import sys
from pathlib import Path

import pytest
from trial import Trial, environment

from loopwright.records.tally import Tally
from loopwright.run.runners.unittest import Unittest

CLAIMED = {
    "python -m unittest": "python R F",
    "python -m unittest -v tests.test_a": "python R F -v tests.test_a",
    "python3.12 -W error -m unittest discover -s tests": "python3.12 -W error R F discover -s tests",
    "uv run python -m unittest": "uv run python R F",
    ".venv/bin/python -B -m unittest": ".venv/bin/python -B R F",
}
TESTS = """
import unittest


class Outcomes(unittest.TestCase):
    def test_passes(self):
        '''With words of its own.'''
        self.assertTrue(True)

    def test_subs(self):
        for number in range(3):
            with self.subTest(number=number):
                self.assertLess(number, 5)

    @unittest.skip("later")
    def test_skipped(self): pass

    def test_skips_itself(self): self.skipTest("now")

    @unittest.expectedFailure
    def test_expected(self): self.fail()


class Asynchronous(unittest.IsolatedAsyncioTestCase):
    async def test_waits(self): pass


class Base(unittest.TestCase):
    def test_inherited(self): pass


class Sub(Base):
    pass


@unittest.skip("all of it")
class Skipped(unittest.TestCase):
    def test_never(self): pass


class SkippedLater(unittest.TestCase):
    @classmethod
    def setUpClass(cls): raise unittest.SkipTest("no database")
    def test_never(self): pass
"""
FAILING = """
import unittest


class Failing(unittest.TestCase):
    def test_fails(self): self.fail()
    def test_errs(self): raise ValueError
    def test_sub(self):
        with self.subTest(1): pass
        with self.subTest(2): self.fail()
    @unittest.expectedFailure
    def test_unexpected(self): pass
    def test_fine(self): pass


class Broken(unittest.TestCase):
    @classmethod
    def setUpClass(cls): raise ValueError("no database")
    def test_never(self): pass
"""


@pytest.fixture
def project(root: Path) -> Trial:
    """Give a project with unittest, and no tests."""
    command = [sys.executable, "-m", "unittest"]
    return Trial(Unittest(), root, environment(), command)


@pytest.mark.parametrize("command", CLAIMED)
def test_claimed(command: str, tmp_path: Path) -> None:
    """A run of unittest is claimed, and our runner takes the place of its own with the arguments kept."""
    argv = shlex.split(command)
    assert Unittest().claims(argv, tmp_path)
    words = {"R": str(tmp_path / "loopwright_unittest.py"), "F": str(tmp_path)}
    assert Unittest().equip(argv, tmp_path, tmp_path).argv == [
        words.get(word, word) for word in CLAIMED[command].split()
    ]


@pytest.mark.parametrize("command", ["", "unittest", "python -m pytest", "python unittest.py", "python x -m unittest"])
def test_not_claimed(command: str, tmp_path: Path) -> None:
    """What is no run of unittest is not claimed."""
    assert not Unittest().claims(shlex.split(command), tmp_path)


def test_a_run(project: Trial) -> None:
    """Each test is told with its outcome and its file: skips of all kinds, expected failures, inherited ones."""
    project.write("tests/__init__.py", "")
    project.write("tests/test_a.py", TESTS)
    ran = project.run()
    own = "tests.test_a."
    passed = {"Outcomes.test_passes", "Outcomes.test_subs", "Asynchronous.test_waits"}
    passed |= {"Base.test_inherited", "Sub.test_inherited"}
    assert ran.told.named("passed") == {own + name for name in passed}
    skipped = {"Outcomes.test_skipped", "Outcomes.test_skips_itself", "Outcomes.test_expected"}
    skipped |= {"Skipped.test_never", "SkippedLater.test_never"}
    assert ran.told.named("skipped") == {own + name for name in skipped}
    assert set(ran.told.files.values()) == {"tests/test_a.py"}
    assert (ran.exit_code, ran.told.how, ran.told.trouble) == (0, "report", "")
    assert "OK" in ran.output


def test_failures(project: Trial) -> None:
    """Failures, errors, a subtest that fails and a success that nobody expected fail; a broken class is trouble."""
    project.write("test_a.py", FAILING)
    ran = project.run()
    failed = {"Failing.test_fails", "Failing.test_errs", "Failing.test_sub", "Failing.test_unexpected"}
    assert ran.told.named("failed") == {f"test_a.{name}" for name in failed}
    assert ran.told.named("passed") == {"test_a.Failing.test_fine"}
    assert ran.told.named("unrun") == {"test_a.Broken.test_never"}
    assert "setUpClass" in ran.told.trouble
    assert ran.exit_code == 1


def test_a_file_that_breaks(project: Trial) -> None:
    """A file that can't be imported is a failed test."""
    project.write("test_a.py", "import nothing_of_that_name\n")
    ran = project.run()
    assert (ran.exit_code, ran.counts) == (1, (1, 0, 1, 0))


def test_arguments(project: Trial) -> None:
    """Names, options and folders mean what they mean to unittest, and modules are found from the current folder."""
    project.write("test_a.py", "import unittest\nclass A(unittest.TestCase):\n    def test_a(self): pass\n")
    project.write("deep/test_b.py", "import unittest\nclass B(unittest.TestCase):\n    def test_b(self): pass\n")
    for words, expected in {
        "test_a": ["test_a.A.test_a"],
        "test_a.A.test_a -v": ["test_a.A.test_a"],
        "discover -s deep": ["test_b.B.test_b"],
        "-k nothing": [],
    }.items():
        ran = project.run(*project.command, *words.split())
        assert list(ran.told.outcomes) == expected, ran.output
    assert project.run(*project.command, "no_such_module").exit_code == 1


@pytest.mark.parametrize("code", ["import os; os._exit(0)", "import atexit, os; atexit.register(os._exit, 0)"])
def test_a_run_that_breaks_off(project: Trial, code: str) -> None:
    """A process that ends with 0 and without a test that passed is no clean run."""
    project.write(
        "test_a.py", f"{code}\nimport unittest\nclass A(unittest.TestCase):\n    def test_a(self): self.fail()\n"
    )
    ran = project.run()
    assert (ran.exit_code, ran.is_clean) == (0, False)


def test_an_import_that_leaves(project: Trial) -> None:
    """A file that asks to leave when it is imported has failed, and the run goes on."""
    project.write("test_a.py", "raise SystemExit(0)\n")
    assert project.run().counts == (1, 0, 1, 0)


def test_what_was_imported_from_the_users_checkout(project: Trial, tmp_path: Path) -> None:
    """A module that comes from the user's own checkout is named."""
    (tmp_path / "checkout").mkdir()
    (tmp_path / "checkout" / "theirs.py").write_text("")
    project.write("test_a.py", f"import sys; sys.path.insert(0, {str(tmp_path / 'checkout')!r})\nimport theirs\n")
    ran = project.run(LOOPWRIGHT_FOREIGN=str(tmp_path / "checkout"))
    assert ran.told.foreign == (str(tmp_path / "checkout" / "theirs.py"),)


@pytest.mark.parametrize("seed", range(3))
def test_sabotage(project: Trial, seed: int) -> None:
    """One real test is spoiled, and fails with none but those that share its code."""
    project.write("test_a.py", TESTS)
    before = project.run()
    sabotage = project.runner.sabotage(project.root, before.told, random.Random(seed))
    assert sabotage is not None
    after = project.run()
    assert sabotage.must_fail <= after.told.named("failed") <= sabotage.must_fail | sabotage.may_fail
    assert after.told.outcomes.keys() == before.told.outcomes.keys()
    assert (sabotage.file, after.exit_code) == ("test_a.py", 1)


def test_no_sabotage(project: Trial, tmp_path: Path) -> None:
    """What is only inherited can't be spoiled in place, and no file outside of the tree is changed."""
    project.write("base.py", "import unittest\nclass Base:\n    def test_x(self): pass\n")
    project.write("test_a.py", "import unittest\nimport base\nclass A(base.Base, unittest.TestCase): pass\n")
    assert project.sabotaged() is None
    outside = tmp_path / "theirs.py"
    outside.write_text("class A:\n    def test_a(self): pass\n")
    for file in ("../theirs.py", str(outside)):
        assert (
            project.sabotaged(tally=Tally("report", {"theirs.A.test_a": "passed"}, {"theirs.A.test_a": file})) is None
        )
    assert "AssertionError" not in outside.read_text()
