"""Findings as people read them."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from loopwright.cli.findings_screen import print_finding, print_findings
from loopwright.records.finding import Change, Finding, Goal, Sighting

RUN = "01a2b3c4-0000-7000-8000-000000000001"


def sighting(goal: Goal = "cost", change: Change = "new", sessions: int = 3, of: int = 9) -> Sighting:
    detail = "a [bold]detail[/bold] with a terminal's \x1b[31mcolour\x1b[0m and many words " * 8
    finding = Finding(
        *(f"rule/{goal}/{change}", goal, "rule", f"Something of {goal} goes wrong, here", detail, sessions, of, 0.61),
        waste_usd=1.5,
        waste_tokens=12_345,
        waste_seconds=90,
        runs=(RUN,),
        cause="missing_context",
    )
    return Sighting(finding, "2026-11-02T03:04:05.000Z", change, 0.5, "2026-11-01T00:00:00.000Z")


def printed(width: int, found: list[Sighting], *, one: bool = False) -> str:
    out = Console(file=io.StringIO(), width=width, highlight=False, soft_wrap=True)
    print_finding(out, found) if one else print_findings(out, found, 9)
    assert isinstance(out.file, io.StringIO)
    return out.file.getvalue()


@pytest.mark.parametrize("width", [30, 60, 100])
def test_it_fits_and_nothing_is_lost(width: int) -> None:
    """However narrow it is, each line fits; numbers, what became of it and the key are there."""
    shown = printed(width, [sighting("cost"), sighting("accuracy", "worse"), sighting("cost", "gone", 0)])
    assert max(map(len, shown.splitlines())) <= width
    words = " ".join(shown.split())
    assert "3 of 9 sessions (33%) · $1.50 · 12.3k tokens · 2 min · 61% sure" in words
    assert "(33%, was 50%)" in words
    assert "rule/accuracy/worse" in words
    assert "now 0 of 9" in words
    assert words.index("Accuracy") < words.index("Cost") < words.index("Gone")


def test_somebody_elses_words_stay_words() -> None:
    """Markup and a terminal's codes in a detail are shown and not obeyed."""
    shown = printed(100, [sighting()])
    assert "a [bold]detail[/bold]" in shown
    assert "\x1b" not in shown


def test_one_with_its_history() -> None:
    """All that is known, then a line for each time that it was seen."""
    shown = printed(60, [sighting(), sighting(change="better", sessions=1)], one=True)
    assert "missing context" in shown
    assert "2026-11-02T03:04  3 of 9 (33%)" in shown
    assert shown.rstrip().splitlines()[-3].endswith("better")


def test_small_shares_do_not_look_like_none() -> None:
    """Nor do large ones like all."""
    assert "(<1%)" in printed(80, [sighting(sessions=1, of=1000)])
    assert "(>99%)" in printed(80, [sighting(sessions=999, of=1000)])
    assert "nothing was found" in printed(80, [])
