"""Patterns in texts and files."""

from __future__ import annotations

from pathlib import Path

from loopwright.text.searching import MOST_BYTES, are_in, find_lines, is_in


def test_a_pattern_sees_lines() -> None:
    """Both ends of a line are its own."""
    assert is_in("^b$", "a\nb\nc")
    assert not is_in("^b$", "ab")


def test_each_pattern_has_its_text() -> None:
    """Many are looked for at once, each in the text that it names."""
    assert are_in([["a", "one"], ["a", "two"]], {"one": "a", "two": "b"}) == [True, False]


def test_lines_are_found_once_and_not_too_many(tmp_path: Path) -> None:
    """A line with two hits is one; no more are given than were asked for; a file that is too large is named."""
    (tmp_path / "one").write_text("x x\nno\nx\r\nx\n")
    (tmp_path / "two").write_bytes(b"\n" * (MOST_BYTES + 1))
    places = [str(tmp_path / "one"), str(tmp_path / "two")]
    assert find_lines("X$", places, True, 9) == ([(0, 1, "x x"), (0, 3, "x"), (0, 4, "x")], [1])
    assert find_lines("x", places, False, 2) == ([(0, 1, "x x"), (0, 3, "x")], [])
