"""The library as a run needs it."""

from __future__ import annotations

from pathlib import Path

from loopwright.equipping import notice_edits, tell
from loopwright.guard.redact import Masker
from loopwright.registry import kinds
from loopwright.release.learned import Library
from loopwright.release.versions import Versions
from loopwright.store import open_store


def test_edits_and_what_has_no_room_are_said(tmp_path: Path) -> None:
    """A new file is taken and said, a broken one is said, and so is what the budget leaves out."""
    (tmp_path / "library").mkdir()
    (tmp_path / "library/hum.md").write_text("---\nkind: playbook\ntitle: Hum\ndescription: d\n---\nHum.\n")
    (tmp_path / "library/bad.md").write_text("Hum.\n")
    said: list[str] = []
    with open_store(tmp_path / "store.sqlite", kinds) as store:
        library = Library(Versions(store.versions, Masker({})), 20)
        notice_edits(library, tmp_path, said.append)
        text = tell(library, ["hum@1", "read-once@1"], said.append)
    assert "Hum." in text
    assert ["`hum@1` now" in said[0], "bad.md" in said[1], "read-once@1" in said[2]] == [True] * 3
