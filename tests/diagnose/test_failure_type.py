"""What kind of failure a check is."""

from __future__ import annotations

import dataclasses

import pytest

from failed_runs import check
from loopwright.diagnose.failure_type import failure_type
from loopwright.run.criteria.file import FileCriteria


@pytest.mark.parametrize(
    ("command", "kind"),
    [
        ("pytest -q", "test"),
        ("ruff check .", "lint"),
        ("npx tsc --noEmit", "lint"),
        ("bandit -r src", "security"),
        ("npm audit --audit-level=high", "security"),
        ("hyperfine ./run", "performance"),
        ("sh check.sh", "test"),
    ],
)
def test_by_its_command(command: str, kind: str) -> None:
    """The program of a command says what kind of check it is."""
    assert failure_type(check(1, command=command)) == kind


def test_by_what_it_is() -> None:
    """A judge is a review, what ends too late is about performance, a file is a test."""
    assert failure_type(dataclasses.replace(check(1), kind="judge")) == "review"
    assert failure_type(check(1, "did not end within 5 s")) == "performance"
    assert failure_type(check(1, criterion=FileCriteria("a"))) == "test"
