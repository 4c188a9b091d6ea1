"""What a human asks for, and what only sounds like it."""

from __future__ import annotations

import time

import pytest

from loopwright.text.permission import permits

WHYS = ("skip", "delete", "weaken", "hooks", "unheard", "unseen", "snapshot")
OTHERWISE = (
    "Don't skip or disable any tests",
    "Never use --no-verify",
    "Never delete tests",
    "CI must not fail",
    "skip blank lines",
    "ignore case",
    "Drop-down list is broken",
    "keep the code clean",
    "optional parameter",
    "Make sure CI does not fail",
    "skip blank lines and run the tests",
    "fix the failing test",
    "Don't ever, under any circumstances, skip tests",
    "Why did you skip the tests?",
    "skip no tests",
    "delete the test database",
    "remove the cache and fix the tests",
    "The parser should skip tests without a name",
    "You must not remove tests",
    "fix the eslint errors",
    "do not update the snapshots",
    "the snapshot test fails",
    "Add an optional argument to the build command",
    "make the parameter optional",
    "make the tests pass",
    "Please make the tests pass without skipping any",
    "ignore whitespace in the test parser",
    "make the tests pass, don't change the tests",
    "Fix it rather than skip the test",
    "don't just skip the tests",
    "If you delete the tests I'll be angry",
    "change the parser so that the tests pass",
    "Update the docs and run tests",
    "make the build not fail",
    "allow failing logins to be tested",
    "clean up the code and test it",
    "correct the code so the test passes",
    "remove unused code from tests/test_a.py",
)
ASKED = (
    ("please skip the flaky test", "skip"),
    ("Skip test_total for now", "skip"),
    ("can you disable tests/test_a.py?", "skip"),
    ("test_total is flaky. Just skip it.", "skip"),
    ("- mark test_total as xfail", "skip"),
    ("Delete the old tests", "delete"),
    ("remove the add feature and its tests", "delete"),
    ("The tests are obsolete, remove them", "delete"),
    ("I want you to get rid of all of the tests in a.py", "delete"),
    ("update the tests to match", "weaken"),
    ("Adjust the expected value", "weaken"),
    ("the test is wrong", "weaken"),
    ("The test expectations should be updated", "weaken"),
    ("commit with --no-verify", "hooks"),
    ("skip the pre-commit hook", "hooks"),
    ("commit without running the hooks", "hooks"),
    ("bypass hooks please", "hooks"),
    ("make the lint job non-blocking", "unheard"),
    ("add continue-on-error to the lint step", "unheard"),
    ("allow the lint step to fail", "unheard"),
    ("lower the coverage threshold to 70", "unheard"),
    ("silence the type checker in add.ts", "unseen"),
    ("add # type: ignore to the top", "unseen"),
    ("put @ts-nocheck there", "unseen"),
    ("update the snapshots", "snapshot"),
    ("Don't change the code, but update the snapshots", "snapshot"),
    ("The feature is no longer needed; drop its tests", "delete"),
    ("let's skip those tests", "skip"),
    ("you may skip the e2e tests", "skip"),
    ("run only test_add", "skip"),
    ("Fix it, and if that fails, skip the test", "skip"),
    ("ok to delete the test?", "delete"),
    ("comment out the failing test", "skip"),
    ("turn off the hooks", "hooks"),
    ("Disable CI", "unheard"),
    ("ignore lint errors", "unseen"),
)


@pytest.mark.parametrize("words", OTHERWISE)
def test_no_request(words: str) -> None:
    """Prohibitions, and the same verbs about other things, permit nothing."""
    assert [why for why in WHYS if permits(words, why)] == []


@pytest.mark.parametrize(("words", "why"), ASKED)
def test_requests(words: str, why: str) -> None:
    """A verb that has tests, checks or hooks as its object asks for it."""
    assert permits(words, why)


def test_offers() -> None:
    """What the agent offered and the human took may name its thing in an earlier sentence."""
    assert permits("yes", "skip", offered="It is flaky. Shall I skip it?")
    assert not permits("skip it", "skip")
    assert not permits("yes", "skip", offered="I won't skip it.")


@pytest.mark.parametrize("piece", ["skip ", "and ", "test_", ", ", "not ", "the tests ", "use ", "a"])
def test_speed(piece: str) -> None:
    """No prompt takes long."""
    began = time.process_time()
    assert [permits(piece * 100_000, why, offered=piece * 100_000) for why in WHYS]
    assert time.process_time() - began < 1.5
