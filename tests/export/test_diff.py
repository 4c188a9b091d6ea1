"""A diff is shown file by file, as text."""

from __future__ import annotations

from loopwright.export.diff import shown

DIFF = "diff --git a/a.py b/a.py\n@@ -1 +1 @@\n-<i>\n+<b>\ndiff --git a/b.py b/b.py\n+more\n"


def test_each_file_has_a_box() -> None:
    """Each file has its name and counts, and its lines are text."""
    written = shown(DIFF)
    assert written.count("<details") == 2
    assert "+1</span>" in written and "a.py" in written
    assert '<span class="added">+&lt;b&gt;</span>' in written


def test_nothing_and_too_much() -> None:
    """No diff is nothing, and a huge one is cut and says so."""
    assert shown("\n") == ""
    huge = shown("+x\n" * 1_000_000)
    assert "left out" in huge and "more lines" in huge and len(huge) < 500_000
