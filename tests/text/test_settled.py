"""What a human says of how the work stands."""

from __future__ import annotations

import pytest

from loopwright.text.settled import is_settled


@pytest.mark.parametrize(
    "words",
    [
        *("it works now", "works for me", "ok, works. now add docs", "I ran the tests, they pass", "CI is green"),
        *("all tests pass on my machine", "it's fixed, thanks", "that fixed it", "please commit, the tests pass"),
        *("I fixed it myself", "everything is green", "the build passes here", "fixed", "passes now", "yes it worked"),
        *("funktioniert jetzt", "the tests all pass", "tests pass now, go on with the docs"),
    ],
)
def test_it_is_so(words: str) -> None:
    """A statement that it holds now is one."""
    assert is_settled(words)


@pytest.mark.parametrize(
    "words",
    [
        *("go on until it works", "the tests have to pass", "not fixed yet, go on", "make the tests pass"),
        *("I want it fixed, passing and green", "if the tests pass, commit", "please get it working", "does it work?"),
        *("it doesn't work", "keep going until everything passes", "ensure all tests pass", "it should be fixed"),
        *("I hope it works", "nothing works", "the tests passed before your change", "nice work", "no test passes"),
        *("it worked yesterday", "commit when it is green", "only one test passes", "let me know when it's fixed"),
        *("I'm working on the docs, go on", "the tests still don't pass", "> it works now"),
    ],
)
def test_it_is_not_so(words: str) -> None:
    """An order, a condition, a negation, a wish, a question and what was before are none."""
    assert not is_settled(words)
