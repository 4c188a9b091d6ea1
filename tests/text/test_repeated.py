"""Tests in a loop of the shell."""

from __future__ import annotations

import pytest

from loopwright.text.repeated import is_mixed, repeats

BOTH = "9 passed in 0.1s\n1 failed, 8 passed in 0.1s\n9 passed in 0.1s"


@pytest.mark.parametrize(
    "command",
    [
        "for i in 1 2 3; do pytest -q; done",
        "for i in $(seq 3); do echo run $i; pytest -q; done",
        "while pytest -q; do :; done",
    ],
)
def test_the_same_tests(command: str) -> None:
    """Rounds that end differently are told, and those that all fail are not."""
    assert is_mixed(command, BOTH)
    assert not is_mixed(command, "1 failed, 8 passed in 0.1s\n1 failed, 8 passed in 0.1s")


@pytest.mark.parametrize("command", ["pytest -q", "for d in a b; do pytest $d; done", "for i in 1 2; do ls; done"])
def test_others(command: str) -> None:
    """What runs once, or on something else in each round, is no repetition."""
    assert not repeats(command)
    assert not is_mixed(command, BOTH)
