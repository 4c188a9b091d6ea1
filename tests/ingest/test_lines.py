"""Lines of any length are given in a size that can be parsed."""

from __future__ import annotations

import json
from pathlib import Path

from loopwright.ingest.lines import BOM, LONGEST, is_dense, lines_of, thinned, watched


def test_lines_come_as_they_are(tmp_path: Path) -> None:
    """Also the last one without an end, and what is no text."""
    path = tmp_path / "a"
    path.write_bytes(b"one\n\xff\x00\n\nlast")
    assert list(lines_of(path)) == [b"one\n", b"\xff\x00\n", b"\n", b"last"]


def test_the_mark_of_an_encoding_is_no_part_of_a_line(tmp_path: Path) -> None:
    """It is left out at the beginning of a file, and only there; a file may be shorter than it."""
    path = tmp_path / "a"
    for text, lines in ((BOM + b"a\n" + BOM, [b"a\n", BOM]), (BOM, []), (b"\xef", [b"\xef"]), (b"", [])):
        path.write_bytes(text)
        assert list(lines_of(path)) == lines


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


def test_a_line_of_very_many_values_is_cut(tmp_path: Path) -> None:
    """To parse it would take hundreds of megabytes; one of as many bytes of text is given whole."""
    path, marked = tmp_path / "a", b'{"text":"' + b"{}," * 600_000 + b'"}\n'
    path.write_bytes(b"[" + b"{}," * 600_000 + b"{}]\n" + marked)
    dense, text = lines_of(path)
    assert (len(dense), text) == (100_000, marked)


def test_marks_in_texts_are_no_values() -> None:
    """Whatever is escaped in a text, and wherever it begins."""
    for quoted in (rb"\"{[,:", rb"\\\"{,:", rb"\\{[,"):
        text = b'["' + quoted * 400_000 + b'"'
        assert not is_dense(text + b"]"), quoted
        assert is_dense(text + b",1" * 1_100_000 + b"]"), quoted


def test_long_lists_of_numbers_are_left_out_of_what_has_very_many_values() -> None:
    """Trajectories have the ids of all tokens; whatever has fewer values stays as it is."""
    numbers = b'{"ids":[' + b"100, " * 700_000 + b"1.5e-3]"
    assert thinned(numbers + b"}") == numbers + b"}"
    assert thinned(numbers + b',"more":[' + b"1," * 700_000 + b'2],"text":"a"}') == b'{"ids":[],"more":[],"text":"a"}'


def test_somebody_hears_how_much_was_read(tmp_path: Path) -> None:
    """About a megabyte at a time is told while a file is read, and nothing when nobody listens any more."""
    path, heard = tmp_path / "a", list[int]()
    path.write_bytes((b"x" * 999 + b"\n") * 5000)
    with watched(heard.append):
        assert len(list(lines_of(path))) == 5000
    assert len(heard) == 4 and 4_000_000 < sum(heard) <= 5_000_000
    list(lines_of(path))
    assert len(heard) == 4
