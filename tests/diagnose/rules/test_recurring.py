"""Patterns by task type."""

from __future__ import annotations

from diagnose.samples import cases, signal, standing, window
from loopwright.diagnose.rules.recurring import recurring

BUGS, DOCS = cases(6), cases(6, "docs")


def test_a_type_with_enough_sessions_has_a_finding_of_its_own() -> None:
    """With its counts, its cost and what a change would be made to; two sessions are not enough."""
    signals = [signal(f"bug_fix-{number}", cost=0.5) for number in range(3)]
    signals += [signal(f"docs-{number}", "timeout") for number in range(2)]
    found = list(recurring(window([*BUGS, *DOCS], signals=signals)))
    assert standing(found) == ["recurring/error_loop/bug_fix"]
    (one,) = [looked.finding for looked in found if looked.stands]
    assert (one.sessions, one.of, one.waste_usd, one.target, one.goal) == (3, 6, 1.5, "worker/bug_fix", "accuracy")
    assert one.signals == ("error_loop-bug_fix-2",)
    assert not any(sign.isdigit() for sign in one.title)
    assert "3 of 6 sessions" in one.detail


def test_many_types_with_a_few_each_have_one_together() -> None:
    """Then nobody knows what to change; once a type has enough, that one is told instead."""
    signals = [signal(f"bug_fix-{number}", "timeout") for number in range(2)]
    signals += [signal(f"docs-{number}", "timeout") for number in range(2)]
    found = list(recurring(window([*BUGS, *DOCS], signals=signals)))
    assert standing(found) == ["recurring/timeout"]
    (one,) = [looked.finding for looked in found if looked.stands]
    assert (one.sessions, one.of, one.target, one.goal) == (4, 12, "", "cost")
    more = [*signals, signal("docs-5", "timeout")]
    assert standing(list(recurring(window([*BUGS, *DOCS], signals=more)))) == ["recurring/timeout/docs"]


def test_what_is_known_is_looked_for() -> None:
    """A known one that did not come is told with 0 of the sessions of its type; without such sessions, not at all."""
    signals = [signal(f"bug_fix-{number}") for number in range(3)]
    (known,) = [one.finding for one in recurring(window(BUGS, signals=signals)) if one.stands]
    (looked,) = recurring(window(cases(9), known=[known]))
    assert (looked.finding.key, looked.finding.sessions, looked.finding.of, looked.stands) == (known.key, 0, 9, False)
    assert list(recurring(window(DOCS, known=[known]))) == []


def test_what_was_known_of_any_type() -> None:
    """It is told as absent only where it came of no type: told of one type by now, it is not gone."""
    some = [signal(run_id, "timeout") for run_id in ("bug_fix-1", "bug_fix-2", "docs-1", "docs-2")]
    (known,) = [one.finding for one in recurring(window([*BUGS, *DOCS], signals=some)) if one.stands]
    (absent,) = recurring(window(BUGS, known=[known]))
    assert (absent.finding.key, absent.finding.sessions, absent.finding.of) == ("recurring/timeout", 0, 6)
    more = [signal(f"docs-{number}", "timeout") for number in range(4)]
    found = [one.finding.key for one in recurring(window([*BUGS, *DOCS], signals=more, known=[known]))]
    assert found == ["recurring/timeout/docs"]
