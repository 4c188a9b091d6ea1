"""The lines that an edit adds and removes."""

from __future__ import annotations

from typing import Any

import pytest

from loopwright.text.edited_lines import counted_words, edited_lines

PATCH = "*** Begin Patch\n*** Update File: a.py\n@@\n one\n-two\n+2\n+3\n*** End Patch\n"


@pytest.mark.parametrize(
    ("tool", "given", "wanted"),
    [
        ("Edit", {"old_string": "a\nb\nc", "new_string": "a\nB\nc"}, (1, 1)),
        ("Edit", {"old_string": "a\nb", "new_string": "a\nx\ny\nb"}, (2, 0)),
        ("Edit", {"old_string": "a\na", "new_string": "a"}, (0, 1)),
        ("edit", {"oldString": "", "newString": "new\nlines"}, (2, 0)),
        ("str_replace_editor", {"old_str": "x", "new_str": ""}, (0, 1)),
        (
            "MultiEdit",
            {"edits": [{"old_string": "a", "new_string": "b"}, {"old_string": "", "new_string": "c"}, 7]},
            (2, 1),
        ),
        ("Write", {"content": "one\ntwo\n"}, (2, 0)),
        ("write_file", {"content": "one"}, (1, 0)),
        ("apply_patch", {"input": PATCH}, (2, 1)),
        ("Write", {"content": 7}, None),
        ("Task", {"content": "no file"}, None),
        ("Read", {"file_path": "a"}, None),
        ("Edit", {"edits": "text"}, None),
        ("Edit", {"edits": []}, None),
    ],
)
def test_lines_of_calls(tool: str, given: dict[str, Any], wanted: tuple[int, int] | None) -> None:
    """Lines are counted as a diff would, whichever agent names the arguments; what is no edit has none."""
    assert edited_lines(tool, given) == wanted


def test_a_patch_in_a_command() -> None:
    """A patch that is handed to a shell is an edit."""
    assert edited_lines("exec_command", {}, f"apply_patch <<'EOF'\n{PATCH}EOF") == (2, 1)


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("2 files changed, 10 insertions(+), 3 deletions(-)", (10, 3)),
        ("1 file changed, 1 insertion(+)", (1, 0)),
        ("1 file changed, 4 deletions(-) (put back: it broke the build)", (0, 4)),
        ("", None),
        ("nothing to see", None),
    ],
)
def test_git_in_words(words: str, wanted: tuple[int, int] | None) -> None:
    """What git says in short is read."""
    assert counted_words(words) == wanted
