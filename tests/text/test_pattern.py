from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopwright.errors import TaskError
from loopwright.text.pattern import (
    Search,
    matches,
    matches_anything,
    matches_each,
    matches_nothing,
    search_files,
    valid,
)


def test_valid_gives_it_back():
    """A pattern that is right is given back as it is."""
    assert valid(r"a\.b") == r"a\.b"


@pytest.mark.parametrize("pattern", ["", "(", "a**", "(?P<n", "a{99999999999999}", "(" * 5000 + ")" * 5000])
def test_wrong_ones_are_refused(pattern):
    """A pattern that is wrong, empty or too large for the engine is refused as the task's mistake."""
    with pytest.raises(TaskError):
        valid(pattern)


@given(st.text(alphabet="abc\n ", max_size=50), st.text(alphabet="abc \n", min_size=1, max_size=3))
def test_plain_words_are_found_as_text_is(text, word):
    """A word without special signs matches where, and only where, it stands."""
    assert matches(word, text, 1) is (word in text)


@pytest.mark.parametrize("pattern", ["x", "x+"])
def test_hits_are_bounded_and_in_order(tmp_path, pattern):
    """Up to so many lines are given, each once, in the order of the files; both ways of searching agree."""
    one, other = tmp_path / "1", tmp_path / "2"
    one.write_text("a\n x x x\nb\nx")
    other.write_text("x\nx\n")
    found = search_files(pattern, [one, other], ignore_case=False, most=3, timeout_s=10)
    assert [tuple(hit) for hit in found.hits] == [(0, 2, "x x x"), (0, 4, "x"), (1, 1, "x")]
    assert search_files(pattern, [one, other], ignore_case=False, most=1, timeout_s=10).hits[0][1] == 2


def test_match_over_several_lines(tmp_path):
    """A match is placed at the line where it begins."""
    place = tmp_path / "a"
    place.write_text("a\nbegin\nend\n")
    found = search_files(r"begin\s+end", [place], ignore_case=False, most=5, timeout_s=10)
    assert [tuple(hit) for hit in found.hits] == [(0, 2, "begin")]


def test_many_hits_on_one_line(tmp_path):
    """A line that matches a million times is one hit, and is quick."""
    place = tmp_path / "a"
    place.write_text("x" * 1_000_000)
    assert len(search_files("x", [place], ignore_case=False, most=5, timeout_s=10).hits) == 1


def test_no_files():
    """Without files nothing is found."""
    assert search_files("x", [], ignore_case=False, most=5, timeout_s=10) == Search([], [])


def test_many_patterns_at_once() -> None:
    """Each is looked for in its own text; one that hangs is None, and keeps the others from nothing."""
    texts = {"a": "x\ny", "b": "a" * 60 + "!"}
    assert matches_each([("^y", "a"), ("^y", "b")], texts, 5) == [True, False]
    assert matches_each([("^y", "a"), ("(a+)+b", "b"), ("a!", "b")], texts, 1) == [True, None, True]
    assert matches_each([], texts, 1) == []


def test_what_is_in_every_text():
    """A pattern that needs nothing, or any sign, matches anything; one for empty texts, or for some signs, does not."""
    assert all(map(matches_anything, ("", "x*", "a|", "^", "(?:)", r"\s*", ".", "(?s).", "(?s).+", r"[\s\S]")))
    assert not any(map(matches_anything, ("^$", r"\A\Z", "x", r"\s", r"\w", "(?!)")))


def test_what_is_in_no_text():
    """A pattern that is known to match nothing is; one that looks a little like it is not."""
    assert all(map(matches_nothing, ("(?!)", "(?i)(?!)", r"[^\s\S]", r"^[^\w\W]$")))
    assert not any(map(matches_nothing, ("", "x", "(?!x)", r"[^\s]", r"[\s\S]", "^$")))
