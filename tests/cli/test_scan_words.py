from __future__ import annotations

import pytest

from loopwright.cli.scan_words import beside_median, how_stopped, median_words, outlier_words, title
from loopwright.ingest.outliers import Outlier
from loopwright.ingest.report import report_of
from loopwright.records.budget import Usage
from loopwright.records.session import DailyUsage
from loopwright.records.summary import Summary

SESSION = Summary("r", "s", "claude_code", "/a", "/p", started_at="2026-11-16T10:00:00.000Z")


def test_the_title_says_how_much_and_of_when() -> None:
    """Sessions, projects and days are told; the days are those of the usage and of the starts."""
    used = [DailyUsage("2026-11-18", "m", Usage(1)), DailyUsage("", "m", Usage(1))]
    later = Summary("r2", "s2", "claude_code", "/a", "/q", usage=used)
    assert title(report_of([SESSION], new=1)) == "1 session, all new · 1 project · 2026-11-16"
    assert title(report_of([SESSION, later], new=1)) == "2 sessions, 1 new · 2 projects · 2026-11-16 to 2026-11-18"
    assert title(report_of([later])) == "1 session, 0 new · 1 project · 2026-11-18"


def test_how_a_human_said_no() -> None:
    """Interrupts and rejections are told apart, and what did not happen is not told."""
    assert how_stopped(Summary("r", "s", "a", "/a", interrupts=1, rejections=2)) == "1 interrupt, 2 rejections"
    assert how_stopped(Summary("r", "s", "a", "/a", rejections=1)) == "1 rejection"


@pytest.mark.parametrize(
    ("measure", "value", "median", "words", "times"),
    [
        ("cost_usd", 22.0, 2.0, "$22.00", "11×"),
        ("active_s", 5400.0, 1200.0, "1 h 30 at work", "4.5×"),
        ("tool_errors", 9, 0, "9 tool errors", ""),
    ],
)
def test_what_stands_out(measure: str, value: float, median: float, words: str, times: str) -> None:
    """An outlier is told in its own unit, and beside the median where there is one."""
    found = Outlier(SESSION, measure, value, median)
    assert (outlier_words(found), beside_median(found)) == (words, times)


def test_the_median_session() -> None:
    """The median of each measure is told in its own unit."""
    assert (
        median_words({"cost_usd": 0.62, "active_s": 420.0, "tool_errors": 1.0})
        == "$0.62 · 7 min at work · 1 tool error"
    )
    assert median_words({"tool_errors": 1.5}) == "1.5 tool errors"
