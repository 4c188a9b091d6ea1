"""An object that is not quite what it should be is read as far as it is."""

from __future__ import annotations

import msgspec

from loopwright.ingest.typed import lenient


class Inner(msgspec.Struct):
    """A part."""

    number: int = 0


class Outer(msgspec.Struct, rename="camel"):
    """A whole."""

    some_text: str | None = None
    inner: Inner | None = None
    many: list[Inner] | None = None


def test_a_wrong_field_is_left_out() -> None:
    """What is right beside it is kept, also further inside."""
    made = lenient({"someText": 17, "inner": {"number": "x"}, "many": [{"number": 1}], "more": 1}, Outer)
    assert made == Outer(None, Inner(0), [Inner(1)])
    assert lenient({"someText": "yes", "inner": []}, Outer) == Outer("yes")


def test_half_of_a_character() -> None:
    """What can't be written as UTF-8 makes its field as if it were not there, and the others stay."""
    assert lenient({"someText": "yes", "inner": {"number": "\ud800"}}, Outer).some_text == "yes"
