"""A runner put to the proof in a real checkroom: what it says of a test that was made to fail."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from clones import Clone

from loopwright.records.criterion import Criterion
from loopwright.run.criteria.composite import CompositeCriteria
from loopwright.run.criteria.file import FileCriteria
from loopwright.run.criteria.test import TestCriteria
from loopwright.run.sabotage import Sabotaged, sabotage
from world import MakeRepo

UNITTEST = f"{sys.executable} -m unittest"
ONE = "import unittest\n\n\nclass One(unittest.TestCase):\n    def test_one(self):\n        pass\n"
TWO = f"{ONE}\n    def test_two(self):\n        pass\n"

Tried = Callable[..., Sabotaged | None]


@pytest.fixture
def tried(make_repo: MakeRepo, make_clone: Callable[[Path], Clone]) -> Tried:
    """Give a function that makes a project, lets a criterion pass in it, and tries the sabotage."""

    def make(criterion: Criterion | str, **files: str) -> Sabotaged | None:
        repo = make_repo("project")
        for name, text in files.items():
            repo.write(f"{name}.py", text)
        repo.commit()
        clone = make_clone(repo.root)
        tree = clone.room.enter(clone.prepare())
        asked = TestCriteria(criterion, timeout_s=60) if isinstance(criterion, str) else criterion
        for test in asked.tests():
            assert isinstance(test, TestCriteria)
            assert clone.room.run(test.command, shell=False, timeout_s=60).exit_code == 0
        return sabotage(asked, tree, clone.room)

    return make


def test_an_honest_runner(tried: Tried) -> None:
    """The test that was made to fail is reported: it holds."""
    assert tried(UNITTEST, test_a=ONE) == Sabotaged(True, "`test_a.One.test_one` was made to fail, and was seen to")


LIES = {
    "an exit code that is always 0": (
        "import sys, atexit, os\natexit.register(os._exit, 0)\n",
        "and the command exited with 0",
    ),
    "a failure that becomes a pass": (
        "import unittest\nunittest.TestResult.wasSuccessful = lambda self: True\n",
        "and the command exited with 0",
    ),
    "another failure with it": (
        (
            "import unittest\n_stop = unittest.TextTestResult.addFailure\n"
            "def lie(self, test, err):\n    _stop(self, test, err)\n    import sys\n"
            '    main = sys.modules["__main__"]\n'
            '    for name in ("test_a.One.test_one", "test_a.One.test_two"):\n'
            '        main.write("ended", name, "failed")\n'
            "unittest.TextTestResult.addFailure = lie\n"
        ),
        "failed with it",
    ),
    "no report of it": (
        (
            "import sys\nmain = sys.modules['__main__']\n_write = main.write\n"
            "said = lambda kind, rest: (rest[0], 'passed') if kind == 'ended' else rest\n"
            "main.write = lambda kind, *rest: _write(kind, *said(kind, rest))\n"
        ),
        "and the runner did not report it",
    ),
}


@pytest.mark.parametrize("case", LIES)
def test_a_runner_that_lies(case: str, tried: Tried) -> None:
    """Whatever a patched runner says of the failure, it is found out, and it is said how."""
    code, words = LIES[case]
    outcome = tried(UNITTEST, lie=code, test_a=f"import lie\n{TWO}")
    assert outcome is not None
    assert not outcome.held
    assert words in outcome.text


EXACT = {"--exact": None, "^TestAdd$": None, "'^Test(Add)$'": None, "--exactly": True, "$HOME": True, "a$b": True}


@pytest.mark.parametrize("word", EXACT)
def test_a_command_that_names_its_tests_to_the_letter(word: str, tried: Tried) -> None:
    """Where a test that is added would be left out, nothing is tried."""
    outcome = tried(f"env NAMED={word} {UNITTEST}", test_a=ONE)
    assert (outcome and outcome.held) is EXACT[word]


def test_a_command_that_reports_nothing(tried: Tried) -> None:
    """Without a report there is no test that could be made to fail."""
    assert tried("true", test_a=ONE) is None


def test_what_is_only_looked_at(tried: Tried) -> None:
    """A criterion without a command has no runner."""
    assert tried(FileCriteria("test_a.py"), test_a=ONE) is None


def test_the_worst_of_several_commands(tried: Tried) -> None:
    """In a composite one runner that lies is enough."""
    lying = TestCriteria(f"{UNITTEST} test_lie", timeout_s=60)
    both = CompositeCriteria("all", (TestCriteria(f"{UNITTEST} test_a", timeout_s=60), lying))
    outcome = tried(both, test_a=ONE, test_lie=f"import atexit, os\natexit.register(os._exit, 0)\n{ONE}")
    assert outcome is not None
    assert not outcome.held
    assert "test_lie" in outcome.text


def test_a_test_that_fails_just_then_is_tried_again(tried: Tried, tmp_path: Path) -> None:
    """Another test that fails once, for a reason of its own, does not taint the run."""
    count = tmp_path / "count"
    flaky = (
        f"import pathlib\nplace = pathlib.Path({str(count)!r})\n"
        "number = len(place.read_text()) if place.exists() else 0\nplace.write_text('x' * (number + 1))\n"
        f"{ONE}\n\nclass Flaky(unittest.TestCase):\n    test_flaky = lambda self: self.assertNotEqual(number, 1)\n"
    )
    outcome = tried(UNITTEST, test_a=flaky)
    assert outcome is not None
    assert outcome.held
    assert len(count.read_text()) == 3
