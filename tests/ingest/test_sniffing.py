"""The first lines of a file tell what it is."""

from __future__ import annotations

from loopwright.ingest.sniffing import objects_in


def test_only_whole_objects_are_looked_at() -> None:
    """What is cut, empty or no object is passed over."""
    assert list(objects_in(b'\n[1]\n{"a":1}\nno\n{"b":2}\n{"c":')) == [{"a": 1}, {"b": 2}]


def test_only_the_first_lines_are_looked_at() -> None:
    """A file is not read to its end to know what it is."""
    assert len(list(objects_in(b'{"a":1}\n' * 1000))) == 20
