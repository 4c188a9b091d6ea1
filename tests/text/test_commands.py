"""Shell commands: their parts, and when two of them are alike."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopwright.text.commands import is_looking, like, like_given, parts_of, place_of

ALIKE = [
    ("pytest -q", "cd /repo && pytest -q 2>&1 | tail -20"),
    ("pytest -q", "timeout 60 pytest -q; echo $?"),
    ("pytest -q", "pytest -q > /tmp/out.txt 2>&1"),
    ("pytest -q", "pytest -q || true"),
    ("pytest -q", "bash -lc 'cd app && pytest -q'"),
    ("npx jest a.ts", "jest src/a.ts"),
    ("go test -run 'TestA' ./a", 'go test -run "TestA" ./a'),
    ("kill -9 123", "kill -9 77"),
    ("sudo make", "make"),
]
OTHERS = [
    ("pytest -q", "pytest -x"),
    ("pytest a.py", "pytest b.py"),
    ("make", "MODE=ci make"),
    ("curl 'x?page=1'", "curl 'x?page=2'"),
    ("list --offset 10", "list --offset 20"),
    ("make", "make && make install"),
]


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_alike(one: str, other: str) -> None:
    """What stands around an action does not count, nor do folders, numbers and quotes."""
    assert like(one) == like(other)


@pytest.mark.parametrize(("one", "other"), OTHERS)
def test_not_alike(one: str, other: str) -> None:
    """Other arguments, settings, pages and actions count."""
    assert like(one) != like(other)


def test_parts() -> None:
    """Each part has its program, what joins it to the one before, and where its output goes."""
    cat, run = parts_of("cat > a.py <<'EOF'\nimport os; rm -rf x\nEOF\npython a.py | tee log.txt 2>/dev/null")[:2]
    assert (cat.program, cat.into) == ("cat", ("a.py",))
    assert (run.program, run.words, run.after) == ("python", ("python", "a.py"), "\n")
    assert [part.settings for part in parts_of("A=1 B=2 make")] == [("A=1", "B=2")]
    assert parts_of("git -C /x stash pop")[0].verb == "stash"
    assert parts_of("") == ()


def test_looking() -> None:
    """A command looks where all that it does is looking."""
    assert is_looking("cd x && cat a.py | grep -n b | head -3")
    assert is_looking("git log --oneline && ls")
    assert not is_looking("cat a.py && make")
    assert not is_looking("sed -i s/a/b/ a.py")
    assert not is_looking("git commit -m x")


def test_place() -> None:
    """The folder is where the command goes first."""
    assert place_of("cd /repo/app/ && make") == "/repo/app"
    assert place_of("make && cd x") == ""


def test_what_a_tool_was_given() -> None:
    """Folders and amounts do not count, but which page or item is meant does."""
    assert like_given({"path": "/a/x.py", "limit": 3}) == like_given({"limit": 4, "path": "/b/x.py"})
    assert like_given({"issue": "AB-1"}) != like_given({"issue": "AB-2"})
    assert like_given({"url": "https://x.test/1"}) != like_given({"url": "https://x.test/2"})
    assert like_given({"offset": 3}) != like_given({"offset": 4})


@given(st.text(alphabet="ab '\"\\|&;<>\n$()=/-1", max_size=200))
def test_no_command_is_too_odd(command: str) -> None:
    """Whatever is written, it is taken apart."""
    assert isinstance(like(command), str)
    assert like(command) == like(command)


def test_hostile_commands_are_read_in_no_time() -> None:
    """A command of any length is read in milliseconds."""
    began = time.perf_counter()
    for text in ("'" * 100_000, '"\\' * 50_000, "a " * 50_000, "<<" * 50_000, "bash -c " * 10_000, "|" * 100_000):
        parts_of(text)
        like(text)
    assert time.perf_counter() - began < 1


def test_what_runs_elsewhere() -> None:
    """What a command is only started by is left off; the container or machine stays known."""
    (cd, test) = parts_of("ssh host 'cd app && pytest -q'")
    assert (cd.words, test.words, test.within) == (("cd", "app"), ("pytest", "-q"), ("ssh", "host"))
    assert place_of("docker exec web pytest") == "docker web"
    assert like("docker exec a make") != like("docker exec b make")
    assert like("uvx pytest") == like("pytest")
    assert [part.words for part in parts_of("ssh host a\\ b")] == [("a\\ b",)]


def test_numbers_of_cases() -> None:
    """A number in the name of a file that is given says which case is meant, in a script's or an output's not."""
    assert like("solve.py < case1.txt") != like("solve.py < case2.txt")
    assert like("python3 solve.py in/case1.txt") != like("python3 solve.py in/case2.txt")
    assert like("python3 try1.py") == like("python3 try2.py")
    assert like("gcc a.c -o out1.bin") == like("gcc a.c -o out2.bin")
    assert like("cat log20260101.txt") == like("cat log20260102.txt")
