"""Outputs of test runners, compilers and linters: passed or failed, how many, and which."""

from __future__ import annotations

import time

import pytest

from loopwright.text.commands import parts_of
from loopwright.text.test_outcome import Outcome, is_test, outcome_of
from loopwright.text.test_reports import REPORTS

# command, output, runner, state, how many passed and failed
OUTPUTS = [
    ("pytest -q", "....\n4 passed in 0.03s", "pytest", "passed", 4, None),
    ("pytest", "=== 2 failed, 3 passed, 1 warning in 1.20s ===", "pytest", "failed", 3, 2),
    ("pytest", "=== 1 failed, 2 errors in 1.20s (0:01:02) ===", "pytest", "failed", None, 3),
    ("python -m unittest", "Oh\nRan 3 tests in 0.001s\n\nOK", "unittest", "passed", 3, None),
    ("python -m unittest", "x\nRan 3 tests in 0.001s\n\nFAILED (failures=1, errors=1)", "unittest", "failed", 1, 2),
    ("npx jest", "Test Suites: 1 passed, 1 total\nTests:       3 passed, 3 total", "jest", "passed", 3, None),
    ("npx jest", "Tests:       1 failed, 1 skipped, 2 passed, 4 total", "jest", "failed", 2, 1),
    (
        "npm test",
        "\x1b[2m Test Files \x1b[22m 1 passed (1)\n\x1b[2m      Tests \x1b[22m 7 passed (7)",
        "vitest",
        "passed",
        7,
        None,
    ),
    ("npx vitest", " Test Files  1 failed (1)\n      Tests  2 failed | 5 passed (7)", "vitest", "failed", 5, 2),
    ("npx mocha", "\n  4 passing (12ms)\n", "mocha", "passed", 4, None),
    ("npx mocha", "\n  4 passing (12ms)\n  2 failing\n", "mocha", "failed", 4, 2),
    ("bun test", " 27 pass\n 0 fail\nRan 27 tests across 2 files. [1331.00ms]", "bun", "passed", 27, 0),
    ("bun test", " 2 pass\n 1 fail\nRan 3 tests across 2 files. [1331.00ms]", "bun", "failed", 2, 1),
    ("node --test", "# tests 3\n# pass 3\n# fail 0", "node", "passed", 3, 0),
    ("node --test", "ℹ pass 2\nℹ fail 1", "node", "failed", 2, 1),
    ("go test ./...", "ok  \tshop/a\t0.1s\n?   \tshop/b\t[no test files]", "go", "passed", None, None),
    ("go test ./...", "--- FAIL: TestA (0.0s)\nFAIL\nFAIL\tshop/a\t0.1s\nFAIL", "go", "failed", None, 1),
    ("mise run test | tail -3", "ok  \tshop/a\t(cached)\nFAIL\n[test] ERROR task failed", "go", "failed", None, None),
    (
        "cargo test",
        "test result: ok. 3 passed; 0 failed; 0 ignored\n\ntest result: ok. 2 passed; 0 failed;",
        "cargo",
        "passed",
        5,
        0,
    ),
    ("cargo test", "test result: FAILED. 3 passed; 1 failed; 0 ignored", "cargo", "failed", 3, 1),
    ("cargo nextest run", "     Summary [   0.1s] 3 tests run: 3 passed, 0 skipped", "nextest", "passed", 3, None),
    (
        "mvn test",
        "[INFO] Tests run: 5, Failures: 0, Errors: 0, Skipped: 0\n[INFO] BUILD SUCCESS",
        "maven",
        "passed",
        5,
        0,
    ),
    (
        "mvn test",
        "[ERROR] Tests run: 5, Failures: 1, Errors: 1, Skipped: 0\n[INFO] BUILD FAILURE",
        "maven",
        "failed",
        3,
        2,
    ),
    ("./gradlew test", "\nBUILD SUCCESSFUL in 3s", "gradle", "passed", None, None),
    ("./gradlew test", "5 tests completed, 2 failed\n\nBUILD FAILED in 3s", "gradle", "failed", 3, 2),
    ("rspec", "5 examples, 2 failures", "rspec", "failed", 3, 2),
    ("phpunit", "OK (5 tests, 9 assertions)", "phpunit", "passed", 5, None),
    ("phpunit", "FAILURES!\nTests: 5, Assertions: 9, Failures: 1.", "phpunit", "failed", 4, 1),
    ("dotnet test", "Failed!  - Failed:     1, Passed:     2, Skipped: 0", "dotnet", "failed", 2, 1),
    ("ctest", "80% tests passed, 1 tests failed out of 5", "ctest", "failed", 4, 1),
    ("mix test", "3 tests, 1 failure", "exunit", "failed", 2, 1),
    ("npx tsc | head", "a.ts(1,2): error TS2304: Cannot find name 'x'.", "tsc", "failed", None, None),
    ("npx eslint .", "✖ 3 problems (1 error, 2 warnings)", "eslint", "failed", None, None),
    ("npx eslint .", "✖ 2 problems (0 errors, 2 warnings)", "eslint", "passed", None, None),
    ("mise run lint | head", "a.go:1:2: x (noctx)\n1 issues:\n* noctx: 1", "golangci", "failed", None, None),
    ("golangci-lint run", "0 issues.", "golangci", "passed", None, None),
    ("ruff check | tail", "Found 2 errors.", "linter", "failed", None, None),
    ("ruff check", "All checks passed!", "linter", "passed", None, None),
    ("mypy .", "Found 2 errors in 1 file (checked 3 source files)", "mypy", "failed", None, None),
    ("mypy .", "Success: no issues found in 3 source files", "mypy", "passed", None, None),
    (
        "cargo build 2>&1 | tail",
        "error[E0425]: cannot find value\nerror: could not compile `a`",
        "rustc",
        "failed",
        None,
        None,
    ),
    ("make | tail", "make[1]: *** [Makefile:3: all] Error 1\nmake: *** [all] Error 2", "make", "failed", None, None),
    ("npm run build | tail", "npm error Missing script: build", "npm", "failed", None, None),
    ("just lint | cat", "error: Recipe `lint` failed on line 3 with exit code 1", "task", "failed", None, None),
    ("go build ./... | head", "./a.go:3:1: undefined: x", "gobuild", "failed", None, None),
    ("cc a.c | head", "a.c:1:2: error: expected ';'", "cc", "failed", None, None),
    ("prettier --check .", "[warn] Code style issues found in the above file.", "prettier", "failed", None, None),
]


@pytest.mark.parametrize(("command", "output", "runner", "state", "passed", "failed"), OUTPUTS)
def test_outputs(command: str, output: str, runner: str, state: str, passed: int | None, failed: int | None) -> None:
    """Each runner's summary is understood, also behind a pipe."""
    found = outcome_of(command, output)
    assert (found.runner, found.state, found.passed, found.failed) == (runner, state, passed, failed)


def test_every_report_is_tried() -> None:
    """No runner is in the table that no output above is of."""
    assert {report.name for report in REPORTS} == {runner for _, _, runner, *_ in OUTPUTS}


@pytest.mark.parametrize(
    ("command", "output", "passed", "failed"),
    [
        (
            "pytest -v",
            "tests/a.py::test_x PASSED\nFAILED tests/a.py::test_z[1-2] - no\n1 failed in 1s",
            {"tests/a.py::test_x"},
            {"tests/a.py::test_z[1-2]"},
        ),
        (
            "go test -v ./...",
            "--- PASS: TestA (0.0s)\nPASS\nok  \tshop/a\t0.1s\n--- FAIL: TestA (0.0s)\nFAIL\nFAIL\tshop/b\t0.1s",
            {"shop/a TestA"},
            {"shop/b TestA"},
        ),
        (
            "cargo test",
            "test a::x ... ok\ntest a::y ... FAILED\ntest result: FAILED. 1 passed; 1 failed;",
            {"a::x"},
            {"a::y"},
        ),
        ("bun test", "(pass) a > x [1.00ms]\n(fail) a > y\n 1 fail\nRan 2 tests across 1 file.", {"a > x"}, {"a > y"}),
        ("npx vitest", " FAIL  a.test.ts > a > x\n Tests  1 failed (1)", set(), {"a.test.ts > a > x"}),
        (
            "npx jest",
            "  ✓ adds (2 ms)\n  ● sums › takes\nTests:  1 failed, 1 passed, 2 total",
            {"adds"},
            {"sums › takes"},
        ),
    ],
)
def test_names(command: str, output: str, passed: set[str], failed: set[str]) -> None:
    """Tests are named as the runner has them; those of Go with their package."""
    found = outcome_of(command, output)
    assert (found.passed_names, found.failed_names) == (passed, failed)


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("pytest", "ERROR tests/a.py\n!!! Interrupted: 1 error during collection !!!\n1 error in 0.1s"),
        ("go test ./...", "# shop/a\na.go:3:1: undefined\nFAIL\tshop/a [build failed]\nFAIL"),
        ("npx jest", "Test suite failed to run\nTests:       0 total\nTest Suites: 1 failed, 1 total"),
        ("./gradlew test", "Execution failed for task ':compileJava'.\n\nBUILD FAILED in 1s"),
    ],
)
def test_what_could_not_run(command: str, output: str) -> None:
    """Tests that could not be built or read have failed, but none of them has."""
    found = outcome_of(command, output)
    assert (found.state, found.is_broken) == ("failed", True)


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("cat pytest.log", "2 failed, 3 passed in 1s"),
        ("gh run view 7 --log-failed", "FAIL\tshop/a\t0.1s"),
        ("git log -3", "fix: 2 failed in 1s"),
        ("echo x", ""),
        ("./serve", "listening"),
        ("", "2 failed, 3 passed in 1s"),
    ],
)
def test_unknown(command: str, output: str) -> None:
    """Of what is only looked at, and of what says nothing, nothing is known."""
    assert outcome_of(command, output) == Outcome()


def test_commands_that_test() -> None:
    """Test commands are known by their words; a file that is named for tests is none."""
    for command in ("make test", "npm run test:unit", "python -m pytest", "mise run test:ci", "./run-tests.sh", "tox"):
        assert is_test(parts_of(command)[0]), command
    for command in ("rm -rf /tmp/test-repo", "git add tests/a.py", "make build", "ls tests", "mkdir tests"):
        assert not is_test(parts_of(command)[0]), command


def test_hostile_outputs_are_read_in_no_time() -> None:
    """An output of any size and shape takes milliseconds."""
    shapes = ["a::" * 40_000, "\n" * 100_000, " " * 100_000, "=" * 100_000, "1 failed " * 10_000, "FAIL " * 20_000]
    shapes += [
        "x > " * 25_000,
        "ok  \t" * 20_000,
        "Tests: " * 15_000,
        "1" * 100_000,
        "✖ ● ✓ " * 15_000,
        "\tFAIL\n" * 15_000,
    ]
    began = time.perf_counter()
    for shape in shapes:
        outcome_of("make check", f"{shape} passed failed error Tests: Ran FAIL ok  PASS BUILD FAILED")
    assert time.perf_counter() - began < 1.0
