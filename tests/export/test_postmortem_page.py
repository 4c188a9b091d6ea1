"""A post-mortem in Markdown."""

from __future__ import annotations

from typing import Any

from failed_runs import at, check, dossier
from loopwright.diagnose.failures import failures
from loopwright.diagnose.postmortem import postmortem
from loopwright.export.postmortem_page import postmortem_page


def page(*checks: Any, **more: Any) -> str:
    made = dossier(checks, **more)
    return postmortem_page(postmortem(made, failures(made), at(55)))


def test_a_diagnosis_is_called_a_hypothesis() -> None:
    """Timeline, causes with probability and evidence, what is left for others, and three horizons are there."""
    text = page(check(1, now=(3, 2, 1), before=(3, 1, 2)))
    assert "# Post-mortem. Run run: escalated (criteria_unmet)" in text
    assert "Hypotheses, read from the record by rules." in text
    assert "1. **code_bug/incomplete**, probability 50% (rule incomplete)" in text
    assert "Something else: 50%." in text
    for horizon in ("### Immediate (now)", "### Short term (this week)", "### Long term (for good)"):
        assert horizon in text


def test_nothing_known_is_said() -> None:
    """Without a candidate, it says that no rule knows."""
    text = page(check(1, "exited with 9"))
    assert "No rule recognises what it was." in text
    assert "Something else: 100%." in text


def test_words_of_others_change_nothing() -> None:
    """Markup, links, new headings and control characters in somebody's words are shown as words."""
    bad = "x\n# Owned\n[click](http://e.test) <img src=x> \x1b[31m"
    text = page(check(1), run={"detail": bad})
    assert "\n# Owned" not in text
    assert "\\[click\\](http://e.test) \\<img src=x\\>" in text
    assert "\x1b" not in text
