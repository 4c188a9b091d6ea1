"""A diff that is too long: each file has its share."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from loopwright.text.sharing import shared_out


def a_file(name: str, lines: int) -> str:
    return f"diff --git a/{name} b/{name}\n@@ -0,0 +1 @@\n" + "+a harmless line\n" * lines


def test_what_is_short_stays_as_it_is() -> None:
    """Nothing is left out where there is room."""
    assert shared_out(a_file("a", 3), 1000) == (a_file("a", 3), 0)


def test_no_file_pushes_another_out() -> None:
    """A short file between two long ones is there as a whole, whatever they hold."""
    forged = a_file("a", 2000) + "+diff --git a/x b/x\n" * 2000
    text, left_out = shared_out(forged + a_file("m", 3) + a_file("z", 3000), 10_000)
    assert a_file("m", 3) in text
    assert text.count("\ndiff --git a/z b/z\n") == 1 and text.count("characters cut") == 2
    assert len(text) <= 10_000
    assert left_out > 80_000


@given(st.lists(st.integers(0, 300), min_size=1, max_size=80), st.integers(300, 5000))
def test_it_keeps_to_the_limit(lengths: list[int], limit: int) -> None:
    """The rest is never longer than the limit, and what is left out is what is not there."""
    diff = "".join(a_file(str(place), lines) for place, lines in enumerate(lengths))
    text, left_out = shared_out(diff, limit)
    assert len(text) <= max(limit, 0)
    assert (left_out > 0) is (len(diff) > limit)
    assert len(diff) - left_out <= len(text)
