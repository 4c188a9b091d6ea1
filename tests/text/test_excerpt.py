from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopwright.text.excerpt import excerpt, plain, shortened

NOISE = "\n".join(f"tests/test_{number}.py::test_ok PASSED" for number in range(2000))


def test_a_text_is_cut_in_the_middle() -> None:
    """Head and tail are kept, with how much is gone and a note between them; what fits is as it was."""
    assert shortened("abcdef", 4) == "ab\n[… 2 characters cut …]\nef"
    assert shortened("abcdef", 4, "look") == "ab\n[… 2 characters cut: look …]\nef"
    assert shortened("abcd", 4) == "abcd"


def test_short_output_is_whole():
    """What fits is given as it is, without the colours."""
    assert excerpt("\x1b[32mone\x1b[0m\ntwo\n") == "one\ntwo"


@pytest.mark.parametrize(
    "line",
    [
        "E   assert 1 == 2",
        "FAILED tests/test_a.py::test_x - boom",
        "Traceback (most recent call last):",
        "ValueError: boom",
        "thread 'main' panicked at src/main.rs:3",
        "not ok 3 - parses",
        "  ✗ logs in",
        "src/a.ts(3,1): error TS2304: Cannot find name",
        "--- FAIL: TestLogin (0.00s)",
        "something failed here",
    ],
)
def test_telling_line_is_kept_with_its_surroundings(line):
    """A failure in the middle of much noise is kept, with what stands next to it and the last lines."""
    found = excerpt(f"{NOISE}\nbefore\n{line}\nafter\n{NOISE}\nthe end")
    assert f"before\n{line}\nafter" in found
    assert found.endswith("the end")
    assert len(found) <= 4000


def test_marker_counts_what_was_left_out():
    """The lines that are given and those that are left out are all lines."""
    output = f"{NOISE}\nFAILED x\n{NOISE}"
    found = excerpt(output).split("\n")
    left_out = [int(match[1]) for line in found if (match := re.fullmatch(r"… (\d+) lines? left out …", line))]
    assert len(found) - len(left_out) + sum(left_out) == len(output.split("\n"))
    assert len(left_out) == 2


def test_clear_failures_go_before_mere_words():
    """A log that is full of the word error does not push out the assertion."""
    log = "\n".join(f"{number} INFO no error here, all {'x' * 50}" for number in range(1000))
    assert "E   assert 1 == 2" in excerpt(f"{log}\nE   assert 1 == 2\n{log}")


def test_long_line_is_cut_in_its_middle():
    """One very long line does not push out all others, and keeps its beginning and its end."""
    found = excerpt(f"FAILED first{'x' * 100_000}last\nFAILED second\n{NOISE}")
    assert "FAILED first" in found
    assert "last\n" in found
    assert "FAILED second" in found


def test_progress_bars_show_their_last_state():
    """A line that was written over is given as it looked at the end."""
    assert plain("10%\r50%\r100%\r\ndone\r\n") == "100%\ndone\n"


@given(
    st.lists(st.sampled_from(["FAILED x", "y" * 50, "z" * 900, "", "error", "\x1b[1m", "\r", "ä"])), st.integers(0, 500)
)
def test_never_longer_than_the_limit(lines, limit):
    """The limit holds for any output and any limit."""
    assert len(excerpt("\n".join(lines), limit)) <= limit


@given(st.text(), st.integers(0, 50))
def test_any_text(text, limit):
    """Any text can be given."""
    assert len(excerpt(text, limit)) <= limit


@pytest.mark.parametrize(
    "piece", ["a", "error", "error\n", "\x1b[", "\x1b]", "\x1b[1;", "\r", "\n", "A", "E  ", "not ok\n", " ", "assert "]
)
def test_linear_time(piece):
    """No output makes it slow."""
    started = time.process_time()
    excerpt(piece * (1_000_000 // len(piece)))
    assert time.process_time() - started < 2
