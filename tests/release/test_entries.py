"""An entry and its Markdown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopwright.errors import UsageError
from loopwright.records.library import Entry
from loopwright.release.entries import EntryError, content_of, entry_of, entry_titles, file_of, read_file, split_title

ENTRY = Entry("try-it", "playbook", "Try: it", "It is not tried.", "Try it.\n\nTwice.", ["false_done"], ["docs"])
WORDS = st.text(st.characters(blacklist_categories=("Cs", "Cc", "Zl", "Zp")), min_size=1).filter(str.strip)


def test_what_is_written_is_read() -> None:
    """An entry is the same after it was written down, and the file says of which version it was made."""
    entry, number = read_file("try-it", file_of(content_of(ENTRY), 3))
    assert number == 3
    assert content_of(entry) == content_of(ENTRY)
    assert (entry.title, entry.remedy, tuple(entry.detection)) == ("Try: it", "Try it.\n\nTwice.", ("false_done",))


@given(WORDS, WORDS)
def test_any_words_come_back(description: str, source: str) -> None:
    """Quotes, colons, dashes and other scripts are words, and no YAML."""
    entry = Entry("a", "playbook", "t", description, "x", source=source)
    found = entry_of("a", content_of(entry))
    assert (found.description, found.source) == (description, source)


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("Try it.", 1, "no front matter"),
        ("---\nkind: playbook\n", 1, "no end"),
        ("---\nkind: playbook\ntitle: a: b\n---\nx", 3, "not valid YAML"),
        ("---\nkind: playbok\ntitle: a\ndescription: b\n---\nx", 2, "`playbok`"),
        ("---\nkind: playbook\ntitel: a\n---\nx", 3, "`titel`"),
        ("---\nkind: playbook\ntitle: a\n---\nx", 1, "`description` is missing"),
        ("---\nkind: playbook\ntitle: a\ndescription: b\n---\n\n", 5, "says nothing"),
        ("---\nkind: playbook\ntitle: a\ndescription: b\napplies_to: [cooking]\n---\nx", 5, "`cooking`"),
        ("---\nkind: playbook\ntitle: [a]\ndescription: b\n---\nx", 3, "text"),
        ("---\nversion: new\nkind: playbook\ntitle: a\ndescription: b\n---\nx", 2, "`new`"),
        ("---\n- a\n---\nx", 2, "no fields"),
    ],
)
def test_the_line_of_what_is_wrong(text: str, line: int, words: str) -> None:
    """Whoever broke a file is told where, and what would be right."""
    with pytest.raises(EntryError) as caught:
        entry_of("a", text)
    assert words in caught.value.message
    assert caught.value.line == line


def test_names() -> None:
    """A file's name is an entry's name only if it can be one."""
    with pytest.raises(EntryError):
        entry_of("../a", content_of(ENTRY))
    assert split_title("try-it@12") == ("try-it", 12)
    for wrong in ("try-it", "try-it@0", "@1", "Try@1"):
        with pytest.raises(UsageError):
            split_title(wrong)


def test_lists_of_entries() -> None:
    """They are written by people with commas and by patches as JSON; no entry is named twice."""
    assert entry_titles("a@1, b@2") == entry_titles('["a@1", "b@2"]') == ["a@1", "b@2"]
    assert entry_titles("[]") == []
    for wrong in ("a@1, a@2", "[1", "a"):
        with pytest.raises(UsageError):
            entry_titles(wrong)
