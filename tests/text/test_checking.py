"""What commands check, and how they say that their parts ended; the tables of `false_done` have more."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopwright.text.checking import builds, checks, told_exits


@pytest.mark.parametrize(
    ("command", "what"),
    [
        *(("pytest -q", "tests"), ("make test", "tests"), ("tsc && pytest", "tests"), ("make", "build")),
        *(("make check", "build"), ("npm run build", "build"), ("go vet ./...", "build"), ("./build.sh", "build")),
        *(("python -m pytest tests/check.py", "tests"), ("docker build .", "build"), ("make install", None)),
        *(("cat build.log", None), ("npm install", None), ("vite", None), ("", None)),
    ],
)
def test_what_is_checked(command: str, what: str | None) -> None:
    """Tests, builds and linters are known by their words, and not by words of files."""
    assert checks(command) == what


def test_both() -> None:
    """A command that tests may build as well."""
    assert builds("tsc && pytest")
    assert not builds("pytest")


@pytest.mark.parametrize(
    ("command", "output", "told"),
    [
        ("tsc; echo $?", "x\n1", [("tsc", 1)]),
        ('make; echo -e "\\nexit $?"', "a\n\nexit 2", [("make", 2)]),
        ("cargo build\necho 'build: $? done'", "build: 101 done", [("cargo", 101)]),
        ("mypy .; rc=$?; ls; echo rc=$rc", "a\nrc=1", [("mypy", 1)]),
        ("a | b; echo ${PIPESTATUS[0]}", "3", [("a", 3)]),
        ("tsc; echo $?", "1 file changed", []),
        ("tsc; echo $?", "", []),
        ("echo $?", "1", []),
        ("tsc", "1", []),
    ],
)
def test_told_exits(command: str, output: str, told: list[tuple[str, int]]) -> None:
    """The code that is printed belongs to the part before it, or to the one whose code was kept."""
    assert [(part.program, code) for part, code in told_exits(command, output)] == told


@given(st.text("$?;|&\n{}= 1xecho\"'", max_size=60), st.text(max_size=60))
def test_nothing_is_too_odd(command: str, output: str) -> None:
    """Whatever is run and printed, there is an answer."""
    assert all(0 <= code < 1000 for _, code in told_exits(f"{command} $?", output))
    checks(command)
