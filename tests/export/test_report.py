"""The report tells a run in Markdown, and quotes what others said."""

from __future__ import annotations

import re

from loopwright.export.report import escaped, report
from loopwright.export.words import duration

from .samples import analysis_of, evaluated, hostile, observed, ours


def test_what_is_in_it() -> None:
    """Goal, figures, tools, errors by fingerprint, files read again, and the last words."""
    written = report(analysis_of(observed()))
    for words in (
        *("> Fix the login", "- agent: claude\\_code", "| Bash | 2 | 2 |", "### 2 × `feed0123feed0123` · Bash"),
        *("/p/login.py | 3", "## The agent's last words", "```\nDone.\n```", "reads before the first edit: 2"),
    ):
        assert words in written
    assert "| test pytest -q" in report(analysis_of(ours()))


def test_harm_is_quoted() -> None:
    """Outside of fences no sign of HTML or Markdown is left as it was, and no sign that steers anywhere."""
    written = report(analysis_of(hostile()))
    outside = re.sub(r"^(`{3,})\n.*?^\1$", "", written, flags=re.DOTALL | re.MULTILINE)
    assert not re.search(r"(?<!\\)<", outside)
    assert not re.search("[\x00-\x08\x0b-\x1f\u202a-\u202e\u2066-\u2069]", written)
    assert escaped("a|b[c](d)") == "a\\|b\\[c\\](d)"


def test_durations() -> None:
    """Seconds, minutes and hours are written as people say them."""
    assert [duration(value) for value in (1.25, 75, 7260)] == ["1.2 s", "1 min 15 s", "2 h 01 min"]


def test_what_was_thought_of_it() -> None:
    """What another program judged is in the report, with its reason."""
    assert "| failed · 0.25 of 10 | nightly | two tests fail |" in report(analysis_of(evaluated()))
