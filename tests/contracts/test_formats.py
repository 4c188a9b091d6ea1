"""What holds for every format that the registry names."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.claude import call, prompt, said, write
from loopwright import registry
from loopwright.ingest.ports import Format
from loopwright.ingest.sniffing import HEAD

ROOT = Path(__file__).parents[2]
FORMATS: dict[str, Format] = {
    name: registry.load(registry.FORMATS, name)() for name in registry.names(registry.FORMATS)
}
NO_SESSIONS = (b"", b"\0" * 100, b"# Notes", b"{}", b"[]", b"null", b'{"type": "module", "name": "x"}', b"\xff\xfe{")


@pytest.mark.parametrize("name", FORMATS)
def test_it_has_a_page(name: str) -> None:
    """What is read of it, and what is not, is written down."""
    text = (ROOT / "docs" / "formats" / f"{name}.md").read_text().lower()
    assert re.search(r"\b(?:not|no)\b", text)


@pytest.mark.parametrize("name", FORMATS)
def test_it_looks_in_the_users_own_folders(name: str, tmp_path: Path) -> None:
    """With no variable set, all its places are below the home."""
    assert all(tmp_path in place.parents for place in FORMATS[name].places(tmp_path, {}))


@pytest.mark.parametrize("name", FORMATS)
def test_it_takes_no_other_file_for_its_own(name: str) -> None:
    """Neither what is no session, nor one of another agent's."""
    assert not any(FORMATS[name].recognises(head) for head in NO_SESSIONS)
    if name != "claude_code":
        path = write(Path(os.environ["HOME"]) / "a.jsonl", prompt("Fix it"), said(call("c1", command="ls")))
        assert not FORMATS[name].recognises(path.read_bytes())


@pytest.mark.parametrize("path", sorted((ROOT / "tests" / "golden").rglob("*.json*")), ids=lambda path: path.name)
def test_a_recording_is_of_one_format_at_most(path: Path) -> None:
    """Two readers never want the same file."""
    with path.open("rb") as file:
        head = file.read(HEAD)
    assert len([name for name, kind in FORMATS.items() if kind.recognises(head)]) <= 1


@settings(max_examples=int(os.environ.get("FUZZ", "100")), deadline=None)
@given(st.binary(max_size=200) | st.text(alphabet='{}[]":,\\n0tfn a', max_size=200).map(str.encode))
def test_any_head_is_looked_at(head: bytes) -> None:
    """What a file begins with makes none of them fail."""
    assert all(kind.recognises(head) in (True, False) for kind in FORMATS.values())
