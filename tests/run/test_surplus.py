from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from loopwright.run.surplus import Surplus


def is_known(line: bytes) -> bool:
    return b"!" in line


def test_the_first_the_last_and_a_count() -> None:
    """Of lines that are not known the first come through, the last at the end, and those between are counted."""
    surplus = Surplus(first=2, last_size=10)
    assert surplus.sift([b"1", b"2!", b"3", b"4", b"5!"], is_known) == [b"1", b"2!", b"3", b"5!"]
    assert surplus.sift([b"6666", b"7777", b"8!", b"9999"], is_known) == [b"8!"]
    assert surplus.last() == [b"7777", b"9999"]
    assert (surplus.lines, surplus.size) == (2, 7)
    assert surplus.last() == []


def test_big_lines_count_by_their_size() -> None:
    """A few big lines use up the room as well; of the last lines there is one, however long it is."""
    surplus = Surplus(first_size=10, last_size=5)
    assert surplus.sift([b"x" * 11, b"y", b"z" * 9], is_known) == [b"x" * 11]
    assert surplus.last() == [b"z" * 9]
    assert (surplus.lines, surplus.size) == (1, 2)


@given(st.lists(st.lists(st.binary(max_size=8))), st.integers(0, 9), st.integers(0, 40), st.integers(0, 30))
def test_every_line_is_accounted_for(batches: list[list[bytes]], first: int, first_size: int, last_size: int) -> None:
    """Known lines all come through, in order; every other one is given once or counted."""
    surplus = Surplus(first, first_size, last_size)
    taken = [line for batch in batches for line in surplus.sift(batch, is_known)]
    given_lines = taken + surplus.last()
    lines = [line for batch in batches for line in batch]
    assert [line for line in taken if is_known(line)] == [line for line in lines if is_known(line)]
    assert len(given_lines) + surplus.lines == len(lines)
    assert sum(len(line) + 1 for line in given_lines) + surplus.size == sum(len(line) + 1 for line in lines)


def test_known_lines_are_not_without_end_either() -> None:
    """Who says more of them than anybody would is cut as well; the last one still comes through."""
    now = 0.0
    surplus = Surplus(first=0, last_size=3, known=2, clock=lambda: now)
    assert surplus.sift([b"1!", b"2!"], is_known) == [b"1!", b"2!"]
    assert surplus.sift([b"3!", b"4!"], is_known) == []
    assert surplus.last() == [b"4!"]
    assert surplus.lines == 1
    now = 1.0
    assert surplus.sift([b"5!"], is_known) == [b"5!"]
