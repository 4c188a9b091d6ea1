"""Humans who have to ask again."""

from __future__ import annotations

from diagnose.samples import case, cases, standing, window
from loopwright.diagnose.rules.repeated_request import repeated_request
from loopwright.records.window import Request

AGAIN = ((1, "show the last seen strings in status"), (30, "please show the last seen strings in status!"))
ONCE = ((1, "show the last seen strings in status"), (30, "now write documentation about streaming"))


def asked(sessions: int, said: tuple[tuple[int, str], ...], task_type: str = "bug_fix") -> list[Request]:
    return [Request(f"{task_type}-{number}", *one) for number in range(sessions) for one in said]


def test_sessions_in_which_the_same_was_asked_again() -> None:
    """Of those in which a human spoke more than once; two of them are not enough."""
    more = [Request("late-0", *one) for one in ONCE]
    given = window([*cases(4), case("late-0"), *cases(9, "docs")], requests=[*asked(4, AGAIN), *more])
    (looked,) = repeated_request(given)
    assert (looked.finding.key, looked.finding.sessions, looked.finding.of) == ("repeated_request/bug_fix", 4, 5)
    assert looked.stands
    assert looked.finding.detail.startswith("4 requests were made before, in 4 of 5")
    assert standing(list(repeated_request(window(cases(9), requests=asked(2, AGAIN))))) == []
    assert standing(list(repeated_request(window(cases(9), requests=asked(9, ONCE))))) == []
