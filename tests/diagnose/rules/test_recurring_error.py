"""One error in many sessions."""

from __future__ import annotations

from diagnose.samples import cases, signal, standing, window
from loopwright.diagnose.rules.recurring_error import recurring_error
from loopwright.records.window import Erred


def errors(sessions: int, mark: str = "f00d") -> list[Erred]:
    return [Erred(f"bug_fix-{number}", mark, "Edit", 2, "File has not been read yet") for number in range(sessions)]


def test_an_error_that_comes_in_many_sessions() -> None:
    """It is named by its tool and its fingerprint, with counts; a handful of very many sessions is nothing."""
    found = list(recurring_error(window(cases(10), errors=errors(5))))
    assert standing(found) == ["recurring_error/Edit/f00d"]
    assert found[0].finding.detail == "10 times in 5 of 10 sessions: File has not been read yet"
    assert (found[0].finding.cause, found[0].finding.target) == ("missing_context", "tool Edit")
    assert standing(list(recurring_error(window(cases(40), errors=errors(4))))) == []
    assert standing(list(recurring_error(window(cases(2), errors=errors(2))))) == []


def test_what_sessions_go_in_circles_about_is_told_as_that() -> None:
    """An error loop is a finding of its own; the error in it is not told again."""
    loops = [signal(f"bug_fix-{number}") for number in range(4)]
    assert standing(list(recurring_error(window(cases(10), errors=errors(5), signals=loops)))) == []
    assert standing(list(recurring_error(window(cases(10), errors=errors(7), signals=loops)))) != []


def test_a_known_one_that_did_not_come() -> None:
    """It is told with 0 of all sessions."""
    (known,) = recurring_error(window(cases(10), errors=errors(5)))
    (looked,) = recurring_error(window(cases(20), known=[known.finding]))
    assert (looked.finding.sessions, looked.finding.of, looked.stands) == (0, 20, False)
