"""The files that a prompt brought along."""

from __future__ import annotations

from loopwright.text.brought import brought_by
from loopwright.text.fences import fenced


def test_files_and_parts_of_files_are_told_with_their_tokens() -> None:
    """Parts of one file count together; what stands before that part of the prompt is no file of it."""
    before = f"# Task\n\n`other.py`:\n\n{fenced('x' * 40)}\n\n"
    parts = f"`a.py`, from line 1:\n\n{fenced('x' * 40)}\n\n`a.py`, from line 90:\n\n{fenced('y' * 8)}\n"
    whole = f"`b.md`:\n\n{fenced(f'{fenced(chr(122) * 10)}')}\n\n# Rules\n"
    assert brought_by(f"{before}# From the repository\n\n{parts}\n{whole}") == {"a.py": 12, "b.md": 5}
    assert brought_by("# Task\n\nDo it.") == {}
