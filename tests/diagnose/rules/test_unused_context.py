"""Files that are brought along for nothing."""

from __future__ import annotations

from diagnose.samples import cases, standing, window
from loopwright.diagnose.rules.unused_context import unused_context
from loopwright.records.window import Brought

CASES = cases(8, model="claude-sonnet-4-5")


def brought(runs: int, idle: int, used: int) -> list[Brought]:
    files = (("idle.py", idle, False), ("used.py", used, True))
    return [Brought(f"bug_fix-{number}", *file) for number in range(runs) for file in files]


def test_files_that_nobody_touches() -> None:
    """Most of what most runs were given was not touched: told in tokens and money, with the files."""
    (looked,) = unused_context(window(CASES, brought=brought(8, 9000, 1000)))
    its = looked.finding
    assert (its.key, its.sessions, its.of, its.waste_tokens) == ("unused_context/bug_fix", 8, 8, 72000)
    assert "72,000 of 80,000 tokens" in its.detail
    assert "`idle.py` (8)" in its.detail
    assert its.target == "profile worker/bug_fix"
    assert looked.stands
    assert 0.1 < its.waste_usd < 0.5


def test_what_is_used_or_seldom() -> None:
    """Half of it touched is a good share; a few runs say nothing; where nothing is brought, there is nothing."""
    assert standing(list(unused_context(window(CASES, brought=brought(8, 500, 500))))) == []
    assert standing(list(unused_context(window(CASES, brought=brought(4, 9000, 10))))) == []
    assert list(unused_context(window(CASES))) == []
