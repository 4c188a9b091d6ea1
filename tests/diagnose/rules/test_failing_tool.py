"""Tools that fail."""

from __future__ import annotations

import pytest

from diagnose.samples import cases, standing, window
from loopwright.diagnose.rules.failing_tool import failing_tool
from loopwright.records.window import Erred, Used

CASES = cases(30)


def used(tool: str, sessions: int, calls: int, failed: int) -> list[Used]:
    return [Used(f"bug_fix-{number}", tool, calls, failed, 10.0 * calls) for number in range(sessions)]


@pytest.mark.parametrize(
    ("uses", "expected"),
    [
        (used("Fetch", 1, 1, 1), []),
        (used("Fetch", 1, 40, 40), []),  # one session that is stuck
        (used("Fetch", 6, 2, 2), ["failing_tool/Fetch"]),
        (used("Fetch", 10, 3, 1), ["failing_tool/Fetch"]),
        (used("Fetch", 30, 20, 1), []),
        (used("Bash", 10, 3, 1), []),  # its commands are tests, too
        (used("Bash", 10, 3, 3), ["failing_tool/Bash"]),
        (used("Bash", 4, 9, 9), []),
        (used("", 10, 3, 3), []),
        ([], []),
    ],
)
def test_only_what_fails_beyond_chance(uses: list[Used], expected: list[str]) -> None:
    """One of one says nothing, nor does one session; a shell has to fail mostly, other tools often."""
    assert standing(list(failing_tool(window(CASES, used=uses)))) == expected


def test_what_it_says() -> None:
    """Calls, sessions, the error that is most frequent, and the time; mostly failing is a matter of capabilities."""
    errors = [Erred("bug_fix-0", "a", "Fetch", 1, "rare"), Erred("bug_fix-1", "b", "Fetch", 5, "no\nroute to host")]
    (looked,) = failing_tool(window(CASES, used=used("Fetch", 6, 2, 2), errors=errors))
    its = looked.finding
    assert its.detail == "12 of 12 calls failed, in 6 of 6 sessions; most often: no route to host"
    assert (its.goal, its.title, its.target, its.waste_seconds) == (
        *("capabilities", "The tool `Fetch` mostly fails", "tool Fetch"),
        120.0,
    )
    (often,) = failing_tool(window(CASES, used=used("Fetch", 10, 3, 1)))
    assert (often.finding.goal, often.finding.title) == ("accuracy", "The tool `Fetch` often fails")


def test_a_tool_that_works_again_is_told_as_well() -> None:
    """Whoever knows it as failing has to hear that it does not."""
    (looked,) = failing_tool(window(CASES, used=used("Fetch", 12, 2, 0)))
    assert (looked.finding.key, looked.finding.sessions, looked.finding.of) == ("failing_tool/Fetch", 0, 12)
    assert not looked.stands
