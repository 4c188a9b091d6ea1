from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopwright.records.task import TASK_TYPES
from loopwright.text.task_type import task_type

GOALS = {
    "bug_fix": [
        "Fix the failing test",
        "Fix config loading",
        "fix it",
        "The login crashes on empty passwords",
        "Login is broken",
        "Tests fail on Windows",
        "Make the tests pass",
        "500 error when saving a user",
        "Build fails on main",
        "Users can't log in",
        "Please fix the crash in `add_user`",
        "Resolve the regression in date parsing",
        "Update the parser so that it no longer crashes",
        "The document upload is broken",
        "Login crashes when the password is empty; add a check",
        "The test for the parser is failing",
        "fix(api): off by one",
        "- fix the bug",
        "Add a fix for the deadlock",
    ],
    "feature": [
        "Add authentication",
        "Add authentication to the API",
        "Can you add dark mode?",
        "In src/api.py, add retry logic",
        "Implement OAuth login",
        "Create a REST endpoint for users",
        "Support YAML task files",
        "Build a todo app with auth",
        "Allow users to reset their password",
        "Add a comment field to the post model",
        "Add a test command to the CLI",
        "Add dependency injection",
        "Add error handling to the upload",
        "We need to support TLS",
        "1. Add login",
        "feat(api): pagination",
        "Make a settings page",
        "Quickly add a health endpoint",
    ],
    "refactor": [
        "Refactor the payment module",
        "Rename User to Account",
        "Clean up the imports",
        "Extract the retry logic into a class",
        "Remove dead code",
        "Refactor the parser and fix the crash",
        "Split main.py into modules",
        "Simplify the tests",
        "Use pathlib instead of os.path",
    ],
    "tests": [
        "Add tests for the parser",
        "Write unit tests for src/auth.py",
        "Increase test coverage to 90%",
        "Improve coverage of the parser",
        "Add end-to-end tests",
        "Add a regression test for the crash",
        "Test the parser",
        "Cover the error paths of the client",
        "tests: parser",
    ],
    "docs": [
        "Document the API",
        "Update the README",
        "Update README.md",
        "Add a README section on caching",
        "Add docstrings to utils.py",
        "Fix typos in the docs",
        "Write a tutorial",
        "Explain the config format",
        "docs: mention the flag",
        "Docs for the API are missing, add them",
        "Add comments to the scheduler",
    ],
    "chore": [
        "Bump requests to 2.32",
        "Upgrade to Python 3.12",
        "Update dependencies",
        "Set up CI",
        "Add a CI pipeline",
        "Configure ruff",
        "Lint the code base",
        "Format the code with black",
        "Update the config",
        "chore: tidy",
    ],
    "other": ["Make this better", "Improve performance", "Hello", "", "Mach das schneller", "😀"],
}


@pytest.mark.parametrize(("goal", "expected"), [(goal, kind) for kind, goals in GOALS.items() for goal in goals])
def test_goals(goal, expected):
    """The type is the one that a person would give."""
    assert task_type(goal) == expected


def test_table_is_large_and_whole():
    """Every type has its examples."""
    assert set(GOALS) == set(TASK_TYPES)
    assert sum(map(len, GOALS.values())) >= 30


@given(
    st.text()
    | st.lists(st.sampled_from(["fix", "add", "tests", "the", ".", "it", "make", "docs", "-", "1."])).map(" ".join)
)
def test_any_goal_has_a_type(goal):
    """Whatever is written has one of the types."""
    assert task_type(goal) in TASK_TYPES


@pytest.mark.parametrize("piece", ["a", "a-", "a'", "add ", "fix(", "- ", "the "])
def test_linear_time(piece):
    """No goal makes it slow."""
    started = time.monotonic()
    task_type(piece * 200_000)
    assert time.monotonic() - started < 0.5
