"""false_done: claims on builds, types and linters, and exit codes that a command only prints."""

from __future__ import annotations

import pytest

from loopwright.measure.detectors.false_done import FalseDone
from measure.stretches import Stretch

PYTEST_PASSED = "=========== 4 passed in 0.12s ==========="
MYPY_FAILED = "a.py:1: error: x  [misc]\nFound 1 error in 1 file (checked 3 source files)"
TSC_FAILED = "src/a.ts(1,2): error TS2304: Cannot find name 'x'."
RUST_FAILED = "error[E0425]: cannot find value\nerror: could not compile `app`"


def ended(command: str, text: str, exit_code: int) -> Stretch:
    """Let a command run to its end."""
    return Stretch().prompt("fix it").ran(command, text, exit_code=exit_code)


@pytest.mark.parametrize(
    ("command", "text", "words"),
    [
        ("npx tsc --noEmit", TSC_FAILED, "The type check passes."),
        ("npx tsc --noEmit", TSC_FAILED, "TypeScript compiles without errors."),
        ("npx tsc --noEmit", TSC_FAILED, "`npx tsc --noEmit` reports no errors."),
        ("mypy src", MYPY_FAILED, "mypy passes."),
        ("python -m mypy src", MYPY_FAILED, "No type errors."),
        ("uv run mypy src | tail -1", MYPY_FAILED, "Type-checking is clean."),
        ("npm run build", "", "The build is successful."),
        ("npm run build", "", "| Build | ✅ |"),
        ("cargo build", RUST_FAILED, "The project builds."),
        ("cargo build", RUST_FAILED, "`cargo build` completes without errors."),
        ("tsc && pytest", TSC_FAILED, "The type check passes."),
    ],
)
def test_builds(command: str, text: str, words: str) -> None:
    """A claim on types, the build or the linter is held against the newest run of one."""
    found = ended(command, text, 1).edit("src/a.py").says(words).found(FalseDone())
    assert [(signal.events, signal.category) for signal in found] == [((3, 6), "build")]
    assert ended(command, text, 1).says("The tests would pass.").found(FalseDone()) == []


@pytest.mark.parametrize(
    ("command", "text", "words"),
    [
        ("npx tsc --noEmit; echo $?", "1", "The type check passes."),
        ('npm run build; echo "exit: $?"', "bundling\nexit: 1", "The build passes."),
        ("npm test > log 2>&1; echo EXIT=$?", "EXIT=1", "All tests pass."),
        ("npm test | tail -1; echo ${PIPESTATUS[0]}", "done\n1", "All tests pass."),
        ('make; code=$?; echo "make ended with $code"', "make ended with 2", "The build passes."),
        ("tsc; echo tsc=$?; pytest; echo pytest=$?", f"tsc=1\n{PYTEST_PASSED}\npytest=0", "The type check passes."),
    ],
)
def test_printed_exit_codes(command: str, text: str, words: str) -> None:
    """A command that ends well because it only prints how another ended has failed as that one has."""
    assert len(ended(command, text, 0).says(words).found(FalseDone())) == 1


@pytest.mark.parametrize(
    ("command", "text", "words"),
    [
        ("npx tsc --noEmit; echo $?", "0", "The type check passes."),
        ("pytest -q | tail -3; echo $?", f"{PYTEST_PASSED}\n0", "All tests pass."),
        ("tsc; echo tsc=$?; pytest; echo pytest=$?", f"tsc=1\n{PYTEST_PASSED}\npytest=0", "All tests pass."),
        ("npm test; grep -c x log; echo $?", "1", "All tests pass."),
    ],
)
def test_printed_exit_codes_of_what_passed(command: str, text: str, words: str) -> None:
    """An exit code of nothing, or of another part of the command, says nothing against a claim."""
    assert ended(command, text, 0).says(words).found(FalseDone()) == []


@pytest.mark.parametrize("command", ["rm -rf build", "git push origin ci", "npm ci", "git commit -m 'fix build'"])
def test_what_is_no_build(command: str) -> None:
    """A command that has the word in it, and builds nothing, is no check of the build."""
    assert ended(command, "", 1).says("The build passes.").found(FalseDone()) == []


@pytest.mark.parametrize(
    "command",
    [
        *("docker compose run --rm web pytest", "docker compose exec web pytest -q", "docker exec web pytest"),
        *("kubectl exec pod -- pytest", "ssh host 'cd app && pytest'", "nix develop -c pytest", "pdm run pytest"),
        *("rye run pytest", "conda run -n x pytest", "hatch run pytest", "uvx pytest", "coverage run -m pytest"),
        *("./manage.py test", "nx test app", "turbo run test", "flutter test", "sbt test", "forge test"),
    ],
)
def test_however_they_are_started(command: str) -> None:
    """Tests are known behind what starts them: they take back a failure of before, and fail like others."""
    broken = Stretch().prompt("fix it").ran("pytest", "ImportError while loading conftest\nE no module x", exit_code=4)
    assert broken.ran(command, "ok").says("All tests pass.").found(FalseDone()) == []
    failed = Stretch().prompt("fix it").ran(command, "it is wrong", exit_code=1)
    assert failed.says("All tests pass.").found(FalseDone())


@pytest.mark.parametrize("words", ["go on until it works", "the tests have to pass", "not fixed yet, go on"])
def test_what_a_human_wants_is_not_so(words: str) -> None:
    """An order, a condition or a negation of the human does not clear what failed."""
    stretch = Stretch().prompt("fix it").ran("pytest -q", "1 failed, 3 passed in 0.1s", exit_code=1).prompt(words)
    assert stretch.says("All tests pass.").found(FalseDone())
