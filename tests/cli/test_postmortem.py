"""`loopwright postmortem`."""

from __future__ import annotations

from pathlib import Path

from world import Loopwright, Repo, agent


def test_written_once_and_anew(repo: Repo, loopwright: Loopwright, tmp_path: Path) -> None:
    """Markdown on stdout or in a file, the same until --force; JSON has all of it."""
    loopwright("run", "Fix it", "--test", "sh test.sh", *agent("echo 'exit 0' > test.sh"), "--max-iterations", "2")
    first = loopwright("postmortem")
    assert first.code == 0
    assert "Significant because: escalated, tainted." in first.out
    assert "**anti_pattern/tamper**" in first.out
    assert loopwright("postmortem", "last").out == first.out
    data = loopwright("postmortem", "--json").json
    assert data["triggers"] == ["escalated", "tainted"]
    assert loopwright("postmortem", "--force", "--json").json["at"] > data["at"]
    saved = loopwright("postmortem", "--output", tmp_path)
    assert saved.out == ""
    (page,) = tmp_path.glob("postmortem-*.md")
    assert str(page) in saved.err


def test_nothing_to_explain(repo: Repo, loopwright: Loopwright) -> None:
    """A run that is done has none, and it says which have."""
    loopwright("run", "Fix it", "--test", "sh test.sh", *agent("echo 42 > answer"))
    found = loopwright("postmortem")
    assert found.code == 2
    assert "is done: it is no significant failure" in found.err
    assert "loopwright queue" in found.err
