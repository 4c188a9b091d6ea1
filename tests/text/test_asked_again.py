"""Requests that are made more than once."""

from __future__ import annotations

import pytest

from loopwright.text.asked_again import asked_again


def test_the_same_request_again() -> None:
    """Like words, in another order or with a few more, are the same request; each group has its numbers in order."""
    said = [
        (1, "Please show the last seen strings in the status command"),
        (20, "why is the parser slow on large inputs?"),
        (40, "the status command should show the last seen strings!"),
        (60, "show the last seen strings in the status command output, please"),
    ]
    assert asked_again(said) == [[1, 40, 60]]


@pytest.mark.parametrize(
    "said",
    [
        [(1, "commit and push"), (30, "commit and push"), (60, "commit and push")],
        [(1, "yes"), (30, "yes")],
        [(1, "look into the review comments please"), (90, "look into the review comments please")],
        [(1, "rename the parser module everywhere"), (2, "rename the parser module everywhere")],
        [(1, "rename the parser module everywhere"), (30, "write documentation about streaming responses")],
        [],
    ],
)
def test_what_is_no_second_request(said: list[tuple[int, str]]) -> None:
    """Answers, what is usual between two pieces of work, a prompt that is sent once more at once, another request."""
    assert asked_again(said) == []


def test_what_was_pasted_does_not_make_requests_alike() -> None:
    """Two questions about one log are two."""
    log = "\n".join(f"2026-11-16 08:00:0{number} ERROR worker crashed badly while streaming" for number in range(8))
    said = [(1, f"why does the importer crash here\n{log}"), (30, f"which database migrations were applied\n{log}")]
    assert asked_again(said) == []
