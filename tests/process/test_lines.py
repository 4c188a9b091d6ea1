from __future__ import annotations

import itertools
import time
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopwright.process.lines import Lines, text

PIECES = st.lists(
    st.one_of(
        st.sampled_from([b"\n", b"\r\n", b"\r", b"\0", b"\xe2\x82\xac", b"\xe2\x82", b"\xff", b"text"]), st.binary()
    )
)


def split(data: bytes, limit: int) -> tuple[list[bytes], int]:
    """Split it all at once, line by line: what the chunks must amount to."""
    *whole, last = data.split(b"\n")
    lines = [line[:limit] for line in whole] + ([last[:limit]] if last[:limit] else [])
    return lines, sum(max(0, len(line) - limit) for line in (*whole, last))


@given(PIECES, st.lists(st.integers(0, 200)), st.integers(1, 60))
def test_any_split(pieces: list[bytes], cuts: list[int], limit: int) -> None:
    """However bytes are split into chunks, the lines and what is cut from them are the same."""
    data = b"".join(pieces)
    places = [0, *sorted(min(cut, len(data)) for cut in cuts), len(data)]
    lines = Lines(limit)
    given_lines = [line for a, b in itertools.pairwise(places) for line in lines.feed(data[a:b])]
    assert ([*given_lines, *lines.rest()], lines.cut) == split(data, limit)


def test_lines_and_what_is_left() -> None:
    """Newlines are taken off, empty lines stay, and the last line comes at the end, once."""
    lines = Lines()
    assert lines.feed(b"a\n\nb") == [b"a", b""]
    assert lines.feed(b"\nlast") == [b"b"]
    assert lines.rest() == [b"last"]
    assert lines.rest() == []


def test_text() -> None:
    """A carriage return at the end is taken off; NUL and bad UTF-8 become U+FFFD."""
    assert text(b"b\0\xff\rc\r") == "b\ufffd\ufffd\rc"


def test_long_line_is_cut() -> None:
    """A line over the limit is cut there, what is skipped is counted, and the next line is whole."""
    lines = Lines(limit=5)
    assert lines.feed(b"12345") == []
    assert lines.feed(b"6789") == []
    assert lines.feed(b"0\nnext\n") == [b"12345", b"next"]
    assert lines.cut == 5


@pytest.mark.parametrize("chunk", [b"x" * 65_536, b"some line\r\n" * 5957], ids=["one line", "small lines"])
def test_bounded_and_linear(chunk: bytes) -> None:
    """A stream of 100 MB takes a moment and little memory, on one line or on many."""
    lines = Lines()
    tracemalloc.start()
    lines.feed(chunk)
    began = time.process_time()
    for _ in range(200):
        lines.feed(chunk)
    traced_peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    for _ in range(1400):
        lines.feed(chunk)
    assert time.process_time() - began < 5
    assert traced_peak < 20_000_000
