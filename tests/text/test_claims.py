"""What an agent claims of its own work; the tables of `false_done` have more."""

from __future__ import annotations

import time
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopwright.text.claims import Claim, claims


@pytest.mark.parametrize(
    ("words", "about"),
    [
        *(("All tests pass.", ["tests"]), ("Lint passes.", ["build"]), ("Tests and lint pass.", ["tests", "build"])),
        *(("Everything is green.", ["all"]), ("Done.", ["done"]), ("It compiles cleanly.", ["build"])),
        *(("I've fixed it. All tests pass.", ["tests", "done"]), ("The build is green.", ["build"])),
        *(("`mypy src` passes.", ["build"]), ("`pytest -q` passes.", ["tests"]), ("`./go` passes.", ["all"])),
    ],
)
def test_what_is_claimed(words: str, about: list[str]) -> None:
    """A claim says what it is of; one of tests or of a build says more than that it is done."""
    assert [name for name, _ in claims(words)] == about


@pytest.mark.parametrize("words", ["", "Tests should pass.", "Two tests still fail.", "Let me check that tests pass."])
def test_no_claim(words: str) -> None:
    """Plans, and failures that are named, claim nothing."""
    assert not claims(words)


def test_done_comes_last() -> None:
    """What can be held against a run comes before what only says that it is done."""
    assert [name for name, _ in claims("Done. All tests pass.")] == ["tests", "done"]


@given(st.text(max_size=100))
def test_nothing_is_too_odd(text: str) -> None:
    """Whatever is written, there is an answer."""
    assert all(about in get_args(Claim) and said for about, said in claims(text))


def test_hostile_messages_are_read_in_no_time() -> None:
    """A message of any size and shape takes a moment."""
    began = time.perf_counter()
    for shape in ("all tests ", "| ", "`x` ", "1/1 ", "✅ ", "tests pass on the ", "\n|", "the fix is "):
        claims(shape * 20_000)
    assert time.perf_counter() - began < 2.0
