from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopwright.errors import TaskError
from loopwright.records import shape
from loopwright.records.check import Verdict
from loopwright.run.criteria.test import TestCriteria


def test_exit_code_zero_passes(room):
    """A command that ends with 0 passes, is run once, and leaves command, exit code and output hash."""
    evidence = TestCriteria("sh -c 'echo fine'").evaluate(room)
    assert evidence.verdict is Verdict.PASS
    assert (evidence.exit_code, evidence.command, evidence.accounting) == (0, "sh -c 'echo fine'", "exit_code")
    assert len(evidence.output_hash) == 64
    assert len(room.commands) == 1


def test_failure_is_run_twice_and_shows_output(room):
    """A command that fails is run again, and its exit code and output are the evidence."""
    evidence = TestCriteria("sh -c 'echo FAILED test_login; exit 3'").evaluate(room)
    assert evidence.verdict is Verdict.FAIL
    assert evidence.text == "exited with 3\nFAILED test_login"
    assert (evidence.exit_code, evidence.flaky, len(room.commands)) == (3, False, 2)


def test_flaky_is_told_apart(room):
    """A command that fails and then passes at the same tree passes as flaky, and says how it failed."""
    room.script("flaky.sh", "[ -e second ] && exit 0", "touch second", "echo FAILED once", "exit 1")
    evidence = TestCriteria("./flaky.sh").evaluate(room)
    assert (evidence.verdict, evidence.flaky, evidence.exit_code) == (Verdict.PASS, True, 0)
    assert evidence.text.startswith("flaky: exited with 1, and passed")
    assert "FAILED once" in evidence.text


def test_hanging_command_fails_and_is_not_run_again(room):
    """A command that does not end within its limit is a failure, never a skip."""
    evidence = TestCriteria("sleep 30", timeout_s=0.2).evaluate(room)
    assert (evidence.verdict, evidence.timed_out, evidence.exit_code) == (Verdict.FAIL, True, None)
    assert evidence.text == "did not end within 0.2 s"
    assert len(room.commands) == 1


@pytest.mark.parametrize("command", ["no-such-program -q", "/opt/no/such/program"])
def test_missing_program_is_unverifiable(room, command):
    """A program that this machine does not have says nothing about the work."""
    evidence = TestCriteria(command).evaluate(room)
    assert evidence.verdict is Verdict.UNVERIFIABLE
    assert f"there is no program `{command.split()[0]}`" in evidence.text
    assert len(room.commands) == 1


def test_missing_script_of_the_repository_fails(room):
    """A script that the agent may have to write is merely not there yet."""
    evidence = TestCriteria("./scripts/check.sh").evaluate(room)
    assert evidence.verdict is Verdict.FAIL
    assert "there is no `./scripts/check.sh` yet" in evidence.text


def test_shell_signs_are_arguments(room):
    """Without a shell `;` and `|` are arguments like any other, and a failure says so."""
    evidence = TestCriteria("ls . ; touch owned | cat").evaluate(room)
    assert evidence.verdict is Verdict.FAIL
    assert not (room.root / "owned").exists()
    assert "set shell = true" in evidence.text


@pytest.mark.parametrize("command", ["sh -c 'exit 1'", "grep -q '|' nothing.txt", "sh -c 'false && true'"])
def test_no_shell_hint_for_quoted_signs(room, command):
    """What stands in quotes is meant as an argument and gets no hint."""
    assert "shell = true" not in TestCriteria(command).evaluate(room).text


def test_shell_is_used_when_asked_for(room):
    """With shell = true a pipe is a pipe."""
    criterion = TestCriteria("echo yes | grep -q yes && test -d .", shell=True)  # noqa: S604 - what is tested
    assert criterion.evaluate(room).verdict is Verdict.PASS


def test_long_output_is_cut_to_what_tells(room):
    """The evidence stays short enough to be put before an agent, and keeps the failure."""
    room.script("long.sh", "seq 1 20000", "echo 'E   assert 1 == 2'", "seq 1 20000", "exit 1")
    text = TestCriteria("./long.sh").evaluate(room).text
    assert "E   assert 1 == 2" in text
    assert len(text) < 4200


@pytest.mark.parametrize("command", ["", "   ", "pytest 'unclosed", "'' x", "a\0b"])
def test_impossible_command_is_refused(command):
    """A command that can't be split, or is none, is refused before a run starts."""
    with pytest.raises(TaskError):
        TestCriteria(command)


@pytest.mark.parametrize("limit", [0, -1, float("nan")])
def test_impossible_limit_is_refused(limit):
    """A time limit is more than 0."""
    with pytest.raises(TaskError, match="must be more than 0"):
        TestCriteria("pytest", timeout_s=limit)


@pytest.mark.parametrize(
    ("command", "shell", "files"),
    [
        ("pytest -q", False, ()),
        ("pytest tests/test_auth.py::TestLogin::test_ok -k a/b", False, ("tests/test_auth.py", "a/b")),
        ("python check.py check.py", False, ("check.py",)),
        ("./scripts/check.sh", False, ("scripts/check.sh",)),
        ("/usr/bin/env python --cov=src/x tests/", False, ("tests",)),
        ("go test ./...", False, ()),
        ("npx @biomejs/biome check http://localhost/x tests/*.py", False, ()),
        ("cd app && pytest tests/test_a.py; echo x.py>out", True, ("tests/test_a.py", "x.py")),
        ("cat <<X\nit's\nX\npytest tests/a.py", True, ("tests/a.py",)),
        ('python -c "print(1 / 2)"', False, ()),
    ],
)
def test_own_files(command, shell, files):
    """The files that a command names are those that decide it."""
    assert TestCriteria(command, shell=shell).own_files() == files


words = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1)


@given(words, st.floats(0.1, 1e6), st.booleans(), st.booleans())
def test_round_trip(word, timeout_s, shell, held_out):
    """What is written as plain data is read back as the same criterion with the same hash."""
    criterion = TestCriteria(f"run {word!r}x", timeout_s=timeout_s, shell=shell or "'" in word, held_out=held_out)
    again = shape.criterion(criterion.to_dict(), lambda _: TestCriteria)
    assert again == criterion
    assert again.hash == criterion.hash


def test_whole_seconds_have_one_hash():
    """30 and 30.0 seconds are the same criterion."""
    assert TestCriteria("x", timeout_s=30).hash == TestCriteria("x", timeout_s=30.0).hash


def test_pytest_does_not_collect_it():
    """The class is not a test, whatever its name."""
    assert TestCriteria.__test__ is False
