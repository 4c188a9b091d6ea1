"""Numbers and moments of strangers."""

from __future__ import annotations

import pytest

from loopwright.text.amounts import amount, count, count_of, elapsed, exit_code, moment


@pytest.mark.parametrize(
    ("value", "number"), [(3, 3), (1.5, 1.5), (-1, 0), (True, 0), ("3", 0), (None, 0), (10**400, 0)]
)
def test_what_is_no_amount_is_nothing(value: object, number: float) -> None:
    """Only numbers that can be true count; a whole one is cut."""
    assert amount(value) == number
    assert count(value) == int(number)


def test_a_count_may_go_by_several_names() -> None:
    """The first name that it goes by counts; what is no number under a name is passed over."""
    assert count_of({"a": None, "b": 3, "c": 4}, "a", "b", "c") == 3
    assert count_of({"a": "x"}, "a", "b") == 0


@pytest.mark.parametrize(
    ("value", "code"),
    [(0, 0), (3, 3), (-9, -9), (True, None), ("1", None), (1.0, None), (None, None), (2**31, None), (-(2**40), None)],
)
def test_exit_codes(value: object, code: int | None) -> None:
    """Only a whole number that any store can hold is one."""
    assert exit_code(value) == code
    assert type(exit_code(value)) is type(code)


def test_moments_are_read_from_text_and_from_milliseconds() -> None:
    """Both ways to write a moment give the same seconds; anything else gives none."""
    assert moment("2026-11-15T07:06:36.250Z") == moment(1794726396250) == 1794726396.25
    assert moment("2026-11-15T07:06:36.250") == 1794726396.25
    assert [moment(value) for value in ("soon", "9999-99-99", None, {}, -5, 0)] == [None] * 6


def test_time_does_not_go_back() -> None:
    """A duration needs two moments in order."""
    assert elapsed(1.0, 3.5) == 2.5
    assert [elapsed(None, 1.0), elapsed(1.0, None), elapsed(2.0, 1.0)] == [None] * 3
