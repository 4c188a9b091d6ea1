"""regression: a test that passed fails after a change, and what is new or failed before."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from loopwright.measure.detectors.regression import Regression
from loopwright.records.event import EventKind
from measure.stretches import Stretch

Make = Callable[[Stretch], Stretch]


def row(*steps: Make) -> Make:
    """Put steps one after the other."""

    def play(stretch: Stretch) -> Stretch:
        for step in steps:
            stretch = step(stretch)
        return stretch

    return play


def ran(command: str, text: str, exit_code: int | None = 0, tool: str = "Bash", **given: Any) -> Make:
    return lambda stretch: stretch.call(tool, command=command, **given).result(
        text, failed=bool(exit_code), exit_code=exit_code
    )


def edit(path: str = "/repo/src/a.py", tool: str = "Edit", text: str = "edited") -> Make:
    return lambda stretch: stretch.call(tool, file_path=path, old_string="a", new_string="b").result(
        text, failed=text != "edited"
    )


def verdict(said: str, tree: str, name: str = "c1") -> Make:
    data = {"verdict": said, "criterion_hash": name, "tree": tree}
    return lambda stretch: stretch.add(EventKind.VERDICT, f"{said}: the tests pass", is_error=said != "pass", data=data)


def pytest_v(**outcomes: str) -> str:
    failed = sum(outcome == "FAILED" for outcome in outcomes.values())
    lines = [f"tests/test_a.py::{name} {outcome}" for name, outcome in outcomes.items()]
    return "\n".join(
        [*lines, f"=== {f'{failed} failed, ' if failed else ''}{len(outcomes) - failed} passed in 0.1s ==="]
    )


def go(package: str = "shop/a", **outcomes: str) -> str:
    lines = [f"--- {outcome}: {name} (0.00s)" for name, outcome in outcomes.items()]
    failed = "FAIL" in outcomes.values()
    return "\n".join([*lines, f"FAIL\nFAIL\t{package}\t0.1s" if failed else f"PASS\nok  \t{package}\t0.1s"])


GREEN, RED = ran("pytest -q", "9 passed in 0.1s"), ran("pytest -q", "1 failed, 8 passed in 0.1s", 1)
V_GREEN = ran("pytest -v", pytest_v(test_x="PASSED", test_y="PASSED"))
V_RED = ran("pytest -v", pytest_v(test_x="FAILED", test_y="PASSED"), 1)
GO_GREEN, GO_RED = (
    ran("go test -v ./a", go(TestA="PASS", TestB="PASS")),
    ran("go test -v ./a", go(TestA="FAIL", TestB="PASS"), 1),
)
JEST_GREEN = "  ✓ adds (2 ms)\nTests:       3 passed, 3 total"
JEST_RED = "  ● sums › adds\nTests:       1 failed, 2 passed, 3 total"
CARGO = "test sums::adds ... {}\ntest result: {}. {} passed; {} failed; 0 ignored"
VITEST = " Test Files  1 failed (1)\n      Tests  1 failed | 5 passed (6)\n"

REGRESSIONS: dict[str, Make] = {
    "pytest by name": row(V_GREEN, edit(), V_RED),
    "pytest by number": row(GREEN, edit(), RED),
    "a pipe hides the exit code": row(
        ran("pytest -q | tail -3", "9 passed in 0.1s"), edit(), ran("pytest -q | tail -3", "1 failed, 8 passed in 0.1s")
    ),
    "another command, the same test": row(
        V_GREEN, edit(), ran("pytest -v tests/test_a.py", pytest_v(test_x="FAILED"), 1)
    ),
    "go by name": row(GO_GREEN, edit("/repo/a/a.go"), GO_RED),
    "go by package": row(
        ran("go test ./...", "ok  \tshop/a\t0.1s\nok  \tshop/b\t0.1s"),
        edit("/repo/a/a.go"),
        ran("go test ./...", "ok  \tshop/a\t0.1s\nFAIL\tshop/b\t0.1s\nFAIL", 1),
    ),
    "jest": row(ran("npx jest", JEST_GREEN), edit("/repo/src/a.ts"), ran("npx jest", JEST_RED, 1)),
    "vitest, in OpenCode": row(
        ran("npm test", " Test Files  1 passed (1)\n      Tests  6 passed (6)\n", tool="bash"),
        edit("/repo/src/a.ts", tool="edit"),
        ran("npm test", VITEST, 1, tool="bash"),
    ),
    "cargo": row(
        ran("cargo test", CARGO.format("ok", "ok", 1, 0)),
        edit("/repo/src/lib.rs"),
        ran("cargo test", CARGO.format("FAILED", "FAILED", 0, 1), 101),
    ),
    "mocha": row(
        ran("npx mocha", "  5 passing (12ms)"),
        edit("/repo/a.js"),
        ran("npx mocha", "  4 passing (12ms)\n  1 failing\n", 1),
    ),
    "bun": row(
        ran("bun test", "(pass) sums > adds\n 1 pass\n 0 fail\nRan 1 tests across 1 files."),
        edit("/repo/a.ts"),
        ran("bun test", "(fail) sums > adds\n 0 pass\n 1 fail\nRan 1 tests across 1 files.", 1),
    ),
    "unittest": row(
        ran("python -m unittest -v", "test_x (tests.A) ... ok\n\nRan 1 test in 0.1s\n\nOK"),
        edit(),
        ran("python -m unittest -v", "FAIL: test_x (tests.A)\n\nRan 1 test in 0.1s\n\nFAILED (failures=1)", 1),
    ),
    "gradle": row(
        ran("./gradlew test", "A > x() PASSED\n\nBUILD SUCCESSFUL in 3s"),
        edit("/repo/A.java"),
        ran("./gradlew test", "A > x() FAILED\n\n1 tests completed, 1 failed\n\nBUILD FAILED in 3s", 1),
    ),
    "a command that names nothing": row(ran("make test", "done"), edit(), ran("make test", "something is wrong", 1)),
    "Codex's patch": row(
        ran("pytest -q", "9 passed in 0.1s", tool="exec_command", workdir="/repo"),
        lambda stretch: stretch.call("apply_patch", input="*** Begin Patch\n*** Update File: src/a.py\n").result(
            "Success"
        ),
        ran("pytest -q", "2 failed, 7 passed in 0.1s", 1, tool="exec_command", workdir="/repo"),
    ),
    "Gemini, which says success": row(
        ran("pytest -q", "9 passed in 0.1s", None, tool="run_shell_command"),
        edit(tool="replace"),
        ran("pytest -q", "2 failed, 7 passed in 0.1s", None, tool="run_shell_command"),
    ),
    "a change by the shell": row(GREEN, ran("sed -i 's/a/b/' src/a.py", ""), RED),
    "a change in the same command": row(
        V_GREEN, ran("sed -i 's/a/b/' src/a.py && pytest -v", pytest_v(test_x="FAILED", test_y="PASSED"), 1)
    ),
    "a merge": row(GREEN, ran("git merge main", "Fast-forward"), RED),
    "a package that was updated": row(GREEN, ran("npm install lodash@5", "added 1 package"), RED),
    "a build that did not work between": row(
        GO_GREEN,
        edit("/repo/a/a.go"),
        ran("go test -v ./a", "FAIL\tshop/a [build failed]\nFAIL", 1),
        edit("/repo/a/a.go"),
        GO_RED,
    ),
    "new tests pass, an old one does not": row(
        V_GREEN, edit(), ran("pytest -v", pytest_v(test_x="FAILED", test_y="PASSED", test_new="PASSED"), 1)
    ),
    "put away and brought back": row(
        V_GREEN, ran("git stash", "Saved"), V_RED, ran("git stash pop", "Dropped"), edit(), V_RED
    ),
    "a criterion of ours": row(verdict("pass", "t1"), verdict("fail", "t2")),
    "a criterion, not the first time": row(verdict("fail", "t0"), verdict("pass", "t1"), verdict("fail", "t2")),
}

NONE: dict[str, Make] = {
    "it goes on to pass": row(V_GREEN, edit(), V_GREEN),
    "it never passed": row(V_RED, edit(), V_RED),
    "red, then green": row(V_RED, edit(), V_GREEN),
    "only looked at files between": row(V_GREEN, lambda stretch: stretch.read("/repo/src/a.py"), V_RED),
    "an edit that failed between": row(V_GREEN, edit(text="not found"), V_RED),
    "a new test that fails first": row(
        V_GREEN, edit(), ran("pytest -v", pytest_v(test_x="PASSED", test_y="PASSED", test_new="FAILED"), 1)
    ),
    "a new test, told by numbers alone": row(GREEN, edit(), ran("pytest -q", "1 failed, 9 passed in 0.1s", 1)),
    "a test that is written anew, and nothing else": row(V_GREEN, edit("/repo/tests/test_a.py"), V_RED),
    "a Go test that is written anew": row(GO_GREEN, edit("/repo/a/a_test.go"), GO_RED),
    "what could not be built": row(
        GO_GREEN,
        edit("/repo/a/a.go"),
        ran("go test -v ./a", "# shop/a\na.go:3:1: undefined: x\nFAIL\tshop/a [build failed]\nFAIL", 1),
    ),
    "what could not be collected": row(
        GREEN,
        edit(),
        ran("pytest -q", "ERROR tests/test_a.py\n!!! Interrupted: 1 error during collection !!!\n1 error in 0.1s", 2),
    ),
    "tried without the work": row(V_GREEN, edit(), ran("git stash", "Saved working directory"), V_RED),
    "tried without the work, all at once": row(
        V_GREEN, edit(), ran("git stash && pytest -v; git stash pop", pytest_v(test_x="FAILED", test_y="PASSED"), 0)
    ),
    "a formatter between": row(V_GREEN, ran("mise run fmt", ""), V_RED),
    "its own report between": row(
        ran("pytest -v > out.txt; cat out.txt", pytest_v(test_x="PASSED")),
        ran("pytest -v > out.txt; cat out.txt", pytest_v(test_x="FAILED")),
    ),
    "words that say nothing, and a pipe": row(
        ran("make test | tail -1", "done"), edit(), ran("make test | tail -1", "make: *** [test] Error 1", 1)
    ),
    "tried on another branch": row(V_GREEN, edit(), ran("git checkout main", "Switched to branch 'main'"), V_RED),
    "another folder": row(
        ran("cd one && pytest -q", "9 passed in 0.1s"),
        edit(),
        ran("cd two && pytest -q", "1 failed, 8 passed in 0.1s", 1),
    ),
    "another folder, in Codex": row(
        ran("pytest -q", "9 passed in 0.1s", tool="exec_command", workdir="/one"),
        edit(),
        ran("pytest -q", "1 failed, 8 passed in 0.1s", 1, tool="exec_command", workdir="/two"),
    ),
    "another package, the same name": row(
        GO_GREEN, edit("/repo/a/a.go"), ran("go test -v ./b", go("shop/b", TestA="FAIL"), 1)
    ),
    "other tests": row(
        ran("pytest -q tests/a", "9 passed in 0.1s"), edit(), ran("pytest -q tests/b", "1 failed, 8 passed in 0.1s", 1)
    ),
    "a linter is no test": row(
        ran("ruff check", "All checks passed!"), edit(), ran("ruff check", "Found 2 errors.", 1)
    ),
    "a build is no test": row(ran("tsc", "", 0), edit("/repo/a.ts"), ran("tsc", "a.ts(1,2): error TS2304", 2)),
    "a log is no test": row(
        V_GREEN,
        edit(),
        ran("cat report.txt", pytest_v(test_x="FAILED")),
        ran("gh run view 1 --log-failed", pytest_v(test_x="FAILED")),
    ),
    "a search among tests": row(ran("grep -c test a.py", "3"), edit(), ran("grep -c test a.py", "", 1)),
    "a criterion that can't be evaluated": row(verdict("pass", "t1"), verdict("unverifiable", "t2")),
    "a criterion that is tainted": row(verdict("pass", "t1"), verdict("tainted", "t2")),
    "another criterion": row(verdict("pass", "t1", "c1"), verdict("fail", "t2", "c2")),
    "a criterion that fails first": row(verdict("fail", "t1"), verdict("fail", "t2"), verdict("pass", "t3")),
}


@pytest.mark.parametrize("why", REGRESSIONS)
def test_a_regression(why: str) -> None:
    """What passed and fails after a change is found, once, with both events."""
    stretch = REGRESSIONS[why](Stretch())
    [signal] = stretch.found(Regression())
    assert len(signal.events) == 2
    assert signal.events[-1] == stretch.events[-1].seq


@pytest.mark.parametrize("why", NONE)
def test_no_regression(why: str) -> None:
    """What is new, failed before, could not run or ran elsewhere is none."""
    assert NONE[why](Stretch()).found(Regression()) == []


def test_it_is_told_once() -> None:
    """What goes on to fail is no second regression; the tests are named."""
    [signal] = row(V_GREEN, edit(), V_RED, edit(), V_RED)(Stretch()).found(Regression())
    assert signal.description == "passed at event 2 and failed after a change: tests/test_a.py::test_x"
    again = row(V_GREEN, edit(), V_RED, edit(), V_GREEN, edit(), V_RED)(Stretch()).found(Regression())
    assert [found.events for found in again] == [(2, 6), (10, 14)]


def test_two_that_passed_at_once_are_one_signal() -> None:
    """Tests that passed in one run and fell one after the other are told together."""
    both = ran("pytest -v", pytest_v(test_x="FAILED", test_y="FAILED"), 1)
    first = ran("pytest -v tests/test_a.py -k x", pytest_v(test_x="FAILED"), 1)
    [signal] = row(V_GREEN, edit(), first, edit(), both)(Stretch()).found(Regression())
    assert signal.events == (2, 6, 10)
    assert signal.description.endswith("tests/test_a.py::test_x, tests/test_a.py::test_y")


def test_only_named() -> None:
    """A command whose output names no test can be left out."""
    assert row(GREEN, edit(), RED)(Stretch()).found(Regression(only_named=True)) == []
    assert len(row(V_GREEN, edit(), V_RED)(Stretch()).found(Regression(only_named=True))) == 1
