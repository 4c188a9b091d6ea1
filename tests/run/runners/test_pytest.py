"""pytest for real: what is reported of each test, and a test that is made to fail."""

from __future__ import annotations

import random
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from trial import Trial, environment

from loopwright.records.tally import Tally
from loopwright.run.runners.pytest import Pytest, names_module

CLAIMED = [
    *("pytest", "pytest -q tests", "py.test", "/usr/bin/pytest", ".venv/bin/pytest -x", "python -m pytest"),
    *("python3.11 -m pytest -q", "/opt/bin/python -m pytest", "python -W error -m pytest", "python -X dev -m pytest x"),
    *("python -I -B -m pytest", "pypy3 -m pytest", "uv run pytest", "uv run --frozen pytest -q", "poetry run pytest"),
    *("pdm run pytest", "pipenv run pytest", "hatch run pytest", "rye run pytest", "uv run python -m pytest"),
    *("env A=b pytest", "A=b pytest", "env A=b python -m pytest", "coverage run -m pytest", "env uv run pytest"),
    *(
        "python -m coverage run -m pytest",
        "coverage run --branch --source=src -m pytest -q",
        "A=b coverage run -m pytest",
    ),
]
NOT_CLAIMED = [
    *("", "python", "python -m", "make test", "echo pytest", "python pytest.py", "python -m unittest", "tox"),
    *(
        "python -m pytest_other",
        "pytest-watch",
        "uv pip install pytest",
        "uv run ruff check",
        "uv run ruff -q pytest",
        "sh -c pytest",
    ),
    *(
        "python script.py -m pytest",
        "python -c pytest",
        "coverage run script.py",
        "coverage run -m unittest",
        "env",
        "A=b",
        "uv run",
    ),
]
TESTS = """
import unittest

import pytest


@pytest.mark.parametrize("value", [1, 2, "a::b", "[x]"])
def test_params(value):
    assert value


class TestOuter:
    def test_method(self):
        assert True

    class TestInner:
        def test_deep(self):
            return None


class Base:
    def test_inherited(self):
        assert 1


class TestOne(Base):
    pass


class TestTwo(Base):
    pass


class Old(unittest.TestCase):
    def test_old(self):
        self.assertTrue(True)


async def helper():
    pass


def test_plain(tmp_path):
    '''It says what it does.'''
    if tmp_path:
        return
    raise ValueError
"""
OTHERS = """
import pytest


@pytest.mark.skip(reason="later")
def test_skipped(): pass

@pytest.mark.xfail
def test_xfailed(): assert 0

@pytest.mark.xfail(strict=False)
def test_xpassed(): assert 1

@pytest.mark.xfail(strict=True)
def test_xpassed_strictly(): assert 1

def test_skips_itself(): pytest.skip("now")

def test_fails(): assert 0

@pytest.fixture
def broken(): raise ValueError

@pytest.fixture
def breaks_later():
    yield
    raise ValueError

def test_set_up(broken): pass

def test_tear_down(breaks_later): pass

def test_passes(): pass
"""


PYTEST = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]


@pytest.fixture
def project(root: Path) -> Trial:
    """Give a project with pytest, and no tests."""
    return Trial(Pytest(), root, environment(PYTEST_DISABLE_PLUGIN_AUTOLOAD="1"), PYTEST)


@pytest.mark.parametrize("command", CLAIMED)
def test_claimed(command: str, tmp_path: Path) -> None:
    """A command that runs pytest for certain owes a report, also behind programs that keep the environment."""
    assert Pytest().claims(shlex.split(command), tmp_path)


@pytest.mark.parametrize("command", NOT_CLAIMED)
def test_not_claimed(command: str, tmp_path: Path) -> None:
    """What only mentions pytest owes nothing; it is equipped all the same, and its words are left alone."""
    argv = shlex.split(command)
    assert not Pytest().claims(argv, tmp_path)
    assert Pytest().equip(argv, tmp_path, tmp_path).argv == argv


def test_where_a_modules_arguments_begin() -> None:
    """The arguments of `python -m` begin after the module's name; 0 says that there are none."""
    assert names_module(["env", "python", "-W", "error", "-m", "unittest", "-v"], "unittest") == 6
    assert names_module(["python", "x.py", "-m", "unittest"], "unittest") == 0


def test_a_run(project: Trial) -> None:
    """The tally has each test by its node, with its file: parameters, classes, inherited ones, those of unittest."""
    project.write("tests/test_all.py", TESTS)
    ran = project.run()
    assert (ran.exit_code, ran.told.how, ran.told.trouble) == (0, "report", "")
    assert {name.partition("::")[2] for name in ran.told.named("passed")} == {
        *("test_params[1]", "test_params[2]", "test_params[a::b]", "test_params[[x]]", "TestOuter::test_method"),
        *("TestOuter::TestInner::test_deep", "TestOne::test_inherited", "TestTwo::test_inherited", "Old::test_old"),
        "test_plain",
    }
    assert set(ran.told.files.values()) == {"tests/test_all.py"}
    assert ran.told.files.keys() == ran.told.outcomes.keys()


def test_every_outcome(project: Trial) -> None:
    """Expected failures, unexpected passes and skips are skipped; what breaks around a test fails it."""
    project.write("test_others.py", OTHERS)
    ran = project.run()
    words = {outcome: {name.partition("::")[2] for name in ran.told.named(outcome)} for outcome in ("passed", "failed")}
    assert words["passed"] == {"test_passes"}
    assert words["failed"] == {"test_fails", "test_set_up", "test_tear_down", "test_xpassed_strictly"}
    assert ran.counts == (9, 1, 4, 4)
    assert ran.exit_code == 1


def test_a_file_that_breaks(project: Trial) -> None:
    """A file that can't be collected is trouble, whatever the others did."""
    project.write("test_broken.py", "import nothing_of_that_name\n")
    project.write("test_fine.py", "def test_fine(): pass\n")
    ran = project.run()
    assert "test_broken.py" in ran.told.trouble
    going_on = project.run(*project.command, "--continue-on-collection-errors")
    assert going_on.told.named("passed") == {"test_fine.py::test_fine"}
    assert "test_broken.py" in going_on.told.trouble


def test_what_was_never_run(project: Trial) -> None:
    """After a stop at the first failure the rest was found and not run, which is no skip."""
    project.write("test_a.py", "def test_a(): assert 0\ndef test_b(): pass\n")
    ran = project.run(*project.command, "-x")
    assert ran.told.outcomes == {"test_a.py::test_a": "failed", "test_a.py::test_b": "unrun"}


def test_deselected(project: Trial) -> None:
    """A test that the command leaves out is not among those that were found."""
    project.write("test_x.py", "def test_a(): pass\ndef test_b(): pass\n")
    assert project.run(*project.command, "-k", "test_a").told.outcomes == {"test_x.py::test_a": "passed"}


def test_no_tests(project: Trial) -> None:
    """Where nothing is found the tally is empty, and the end was reported."""
    ran = project.run()
    assert (ran.exit_code, ran.counts) == (5, (0, 0, 0, 0))


def test_several_processes(project: Trial) -> None:
    """With workers each test is told once, with the same names as without."""
    pytest.importorskip("xdist")
    project.write("test_all.py", TESTS)
    alone = project.run()
    together = project.run(*project.command, "-p", "xdist", "-n", "2")
    assert together.told.outcomes == alone.told.outcomes
    assert together.told.files == alone.told.files


def test_a_worker_that_dies(project: Trial) -> None:
    """A worker that ends in the middle of a test has failed it."""
    pytest.importorskip("xdist")
    project.write("test_a.py", "import os\ndef test_a(): os._exit(0)\ndef test_b(): pass\n")
    ran = project.run(*project.command, "-p", "xdist", "-n", "1")
    assert "test_a.py::test_a" in ran.told.named("failed")
    assert ran.exit_code


@pytest.mark.parametrize("code", ["import os; os._exit(0)", "def test_a():\n    import os; os._exit(0)"])
def test_a_run_that_breaks_off(project: Trial, code: str) -> None:
    """A process that ends with 0 before its report has an end has not reported."""
    project.write("test_a.py", f"{code}\n")
    ran = project.run()
    assert (ran.exit_code, ran.tally) == (0, None)


@pytest.mark.parametrize(("places", "expected"), [("ab", (2, 1)), ("aa", (2, 0)), ("ac", None)])
def test_several_runs_in_one_command(places: str, expected: tuple[int, int] | None, project: Trial) -> None:
    """Each pytest of a command counts, also where two run the same test; one that breaks off spoils all."""
    project.write("a/test_a.py", "def test_a(): pass\n")
    project.write("b/test_b.py", "def test_b(): assert 0\n")
    project.write("c/test_c.py", "import os; os._exit(0)\n")
    folder = project.root.parent / "reports"
    folder.mkdir()
    for place in places:
        equipped = project.runner.equip([*project.command, place], project.root, folder)
        environment = {**project.env, **equipped.environment}
        subprocess.run(equipped.argv, cwd=project.root, env=environment, capture_output=True)
    tally = project.runner.tally(project.root, folder, project.root)
    assert (tally and (tally.counts.collected, tally.counts.failed)) == expected


def test_a_pytest_that_a_test_starts_is_not_counted(project: Trial) -> None:
    """What a test runs for its own purposes neither reports nor finds our variables."""
    code = (
        "import os, subprocess, sys\n"
        "def test_outer(tmp_path):\n"
        "    (tmp_path / 'test_inner.py').write_text('def test_inner(): assert 0')\n"
        f"    assert subprocess.run({project.command!r}, cwd=tmp_path).returncode == 1\n"
        "    assert not {'PYTEST_ADDOPTS', 'PYTHONPATH', 'LOOPWRIGHT_REPORT'} & os.environ.keys()\n"
    )
    project.write("test_a.py", code)
    ran = project.run()
    assert ran.told.outcomes == {"test_a.py::test_outer": "passed"}, ran.output


def test_a_root_above(project: Trial) -> None:
    """Files are named from the tree's root, also where pytest takes another folder for its own."""
    project.write("inner/pytest.ini", "[pytest]\n")
    project.write("inner/test_a.py", "def test_a(): pass\n")
    ran = project.run(*project.command, "inner")
    assert set(ran.told.files.values()) == {"inner/test_a.py"}


def test_what_was_imported_from_the_users_checkout(project: Trial, tmp_path: Path) -> None:
    """A module that comes from the user's own checkout is named: the wrong code was tested."""
    (tmp_path / "checkout").mkdir()
    (tmp_path / "checkout" / "theirs.py").write_text("")
    project.write("test_a.py", f"import sys; sys.path.insert(0, {str(tmp_path / 'checkout')!r})\nimport theirs\n")
    ran = project.run(LOOPWRIGHT_FOREIGN=str(tmp_path / "checkout"))
    assert ran.told.foreign == (str(tmp_path / "checkout" / "theirs.py"),)
    assert project.run(LOOPWRIGHT_FOREIGN=str(tmp_path / "check")).told.foreign == ()


@pytest.mark.parametrize("seed", range(3))
def test_sabotage(project: Trial, seed: int) -> None:
    """One real test is spoiled: all of its cases fail and no test but those that share its code."""
    project.write("tests/test_all.py", TESTS)
    project.write("tests/test_more.py", "def test_alone(): pass\n")
    before = project.run()
    sabotage = project.runner.sabotage(project.root, before.told, random.Random(seed))
    assert sabotage is not None
    after = project.run()
    failed = after.told.named("failed")
    assert sabotage.must_fail <= failed <= sabotage.must_fail | sabotage.may_fail
    assert after.told.outcomes.keys() == before.told.outcomes.keys()
    assert {after.told.files[name] for name in sabotage.must_fail} == {sabotage.file}
    assert after.exit_code == 1


def test_sabotage_of_cases(project: Trial) -> None:
    """A test with parameters fails in all of its cases, and a test of the same name elsewhere may."""
    case = "import pytest\n@pytest.mark.parametrize('x', [1, 2])\ndef test_a(x): pass\n"
    project.write("test_one.py", case)
    project.write("test_two.py", "def test_b(): pass\n")
    sabotage = project.sabotaged()
    assert sabotage is not None
    if sabotage.file == "test_one.py":
        assert sabotage.must_fail == {"test_one.py::test_a[1]", "test_one.py::test_a[2]"}
    else:
        assert sabotage.must_fail == {"test_two.py::test_b"}
    assert project.run().told.named("failed") == sabotage.must_fail


def test_sabotage_beside_what_is_inherited(project: Trial) -> None:
    """A test that subclasses share fails with theirs; where only the base has it, another one is taken."""
    shared = "class TestBase:\n    def test_x(self): pass\nclass TestSub(TestBase): pass\n"
    project.write("test_a.py", shared)
    sabotage = project.sabotaged()
    assert sabotage is not None
    assert sabotage.must_fail == {"test_a.py::TestBase::test_x"}
    both = {"test_a.py::TestBase::test_x", "test_a.py::TestSub::test_x"}
    assert sabotage.may_fail == both
    assert project.run().told.named("failed") == both
    project.write("test_a.py", "class Base:\n    def test_x(self): pass\nclass TestSub(Base): pass\n")
    assert project.sabotaged() is None


def test_no_sabotage_outside_of_the_tree(project: Trial, tmp_path: Path) -> None:
    """A report that names a file outside of the tree, by dots, a link or an absolute path, gets nothing changed."""
    outside = tmp_path / "test_theirs.py"
    outside.write_text("def test_a(): pass\n")
    (project.root / "test_link.py").symlink_to(outside)
    (project.root / "linked").symlink_to(tmp_path)
    for file in (
        "../test_theirs.py",
        str(outside),
        "test_link.py",
        "linked/test_theirs.py",
        "../project/../test_theirs.py",
    ):
        tally = Tally("report", {f"{file}::test_a": "passed"}, {f"{file}::test_a": file})
        assert project.sabotaged(tally=tally) is None
    assert outside.read_text() == "def test_a(): pass\n"


def test_nothing_to_sabotage(project: Trial) -> None:
    """Without a test that passed in a Python file there is nothing to spoil."""
    names = {"a.py::test_a": "a.py", "b.txt::doc": "b.txt", "c.py": "c.py", "d.py::test_d": ""}
    project.write("a.py", "def test_other(): pass\n")
    assert project.sabotaged(tally=Tally("report", dict.fromkeys(names, "passed"), names)) is None
    assert (
        project.sabotaged(tally=Tally("report", {"a.py::test_other": "failed"}, {"a.py::test_other": "a.py"})) is None
    )
