"""Lines of any length are given in a size that can be parsed."""

from __future__ import annotations

import json
from pathlib import Path

from loopwright.ingest.lines import LONGEST, lines_of, watched


def test_lines_come_as_they_are(tmp_path: Path) -> None:
    """Also the last one without an end, and what is no text."""
    path = tmp_path / "a"
    path.write_bytes(b"one\n\xff\x00\n\nlast")
    assert list(lines_of(path)) == [b"one\n", b"\xff\x00\n", b"\n", b"last"]


def test_an_image_is_left_out_of_a_long_line(tmp_path: Path) -> None:
    """The rest of the line stays whole."""
    path = tmp_path / "a"
    path.write_text(json.dumps({"image": "iVBOR" * 1_000_000, "text": "x" * 1000}) + "\nnext\n")
    first, second = lines_of(path)
    assert json.loads(first) == {"image": "[binary]", "text": "x" * 1000}
    assert second == b"next\n"


def test_what_is_still_too_long_is_cut(tmp_path: Path) -> None:
    """The next line begins where it begins, however long the one before was."""
    path = tmp_path / "a"
    path.write_bytes(b"x y" * 25_000_000 + b"\nnext\n")
    first, second = lines_of(path)
    assert (len(first), second) == (LONGEST, b"next\n")


def test_somebody_hears_how_much_was_read(tmp_path: Path) -> None:
    """About a megabyte at a time is told while a file is read, and nothing when nobody listens any more."""
    path, heard = tmp_path / "a", list[int]()
    path.write_bytes((b"x" * 999 + b"\n") * 5000)
    with watched(heard.append):
        assert len(list(lines_of(path))) == 5000
    assert len(heard) == 4 and 4_000_000 < sum(heard) <= 5_000_000
    list(lines_of(path))
    assert len(heard) == 4
