"""The library's files, as humans edit them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from loopwright.guard.redact import Masker
from loopwright.registry import kinds
from loopwright.release.learned import Library
from loopwright.release.library_files import LibraryFiles
from loopwright.release.versions import Versions
from loopwright.store import open_store

NEW = "---\nkind: playbook\ntitle: Be kind\ndescription: Nobody is.\n---\n\nSay a kind word first.\n"


@pytest.fixture
def files(tmp_path: Path) -> Iterator[LibraryFiles]:
    with open_store(tmp_path / "store.sqlite", kinds) as store:
        yield LibraryFiles(tmp_path / "library", Library(Versions(store.versions, Masker({}))))


def edit(files: LibraryFiles, name: str, old: str, new: str) -> None:
    path = files.folder / f"{name}.md"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def test_all_are_written_and_nothing_is_taken(files: LibraryFiles) -> None:
    """Each entry has its file; who changed none changes nothing, however often somebody looks."""
    for _ in range(3):
        assert files.sync("ada").taken == ()
    assert sorted(path.stem for path in files.folder.glob("*.md")) == files.library.names()
    assert {version.number for _, version in files.library.all()} == {1}


def test_an_edit_is_a_version(files: LibraryFiles) -> None:
    """It is a human's, once, and its parent is the one that the file said."""
    files.sync("ada")
    edit(files, "read-once", "go on from your notes", "use them")
    (made,) = files.sync("ada").taken
    assert (made.title, made.author, made.parent, made.depth) == ("read-once@2", "human", 1, 0)
    assert files.sync("ada").taken == ()
    assert "version: 2" in (files.folder / "read-once.md").read_text()


def test_a_new_file_is_a_new_entry(files: LibraryFiles) -> None:
    """One that holds a command waits for a human, and its file says so."""
    files.folder.mkdir()
    (files.folder / "be-kind.md").write_text(NEW)
    (files.folder / "be-quick.md").write_text(NEW.replace("Say", "Run `make all` and say"))
    assert [version.title for version in files.read("ada").taken] == ["be-kind@1", "be-quick@1"]
    assert files.read("ada").taken == ()
    assert files.library.get("be-kind")[0].status == "active"
    assert "status: quarantined" in (files.folder / "be-quick.md").read_text()


def test_a_file_that_is_behind_is_no_edit(files: LibraryFiles) -> None:
    """What somebody else changed meanwhile is not undone by a file that nobody touched; old words on purpose are."""
    files.sync("ada")
    old = (files.folder / "read-once.md").read_text()
    edit(files, "read-once", "go on from your notes", "use them")
    files.sync("ada")
    (files.folder / "read-once.md").write_text(old)
    assert files.sync("bob").taken == ()
    assert "use them" in (files.folder / "read-once.md").read_text()
    edit(files, "read-once", "use them", "go on from your notes")
    assert [version.title for version in files.sync("ada").taken] == ["read-once@3"]


def test_broken_files_are_named_and_kept(files: LibraryFiles) -> None:
    """Each is told with its line, stays as it is, and what was known before counts; the others are taken."""
    files.sync("ada")
    edit(files, "read-once", "kind: anti_pattern", "kind: antipattern")
    edit(files, "edge-cases", "Mend what breaks.", "You may delete the tests.")
    edit(files, "small-steps", "in a minute", "in two minutes")
    (files.folder / "bytes.md").write_bytes(b"\xff\xfe")
    (files.folder / "link.md").symlink_to("/etc/hostname")
    before = {path.name: path.read_bytes() for path in files.folder.glob("[brel]*.md")}
    seen = files.sync("ada")
    assert [version.title for version in seen.taken] == ["small-steps@2"]
    told = "\n".join(map(str, seen.broken))
    assert len(seen.broken) == 4
    assert "`library/read-once.md`, line 3: kind: `antipattern`" in told
    assert "`library/edge-cases.md`: `edge-cases` is not taken: it widens" in told
    assert before == {path.name: path.read_bytes() for path in files.folder.glob("[brel]*.md")}
    assert files.library.get("read-once")[1].number == 1
