"""Events of what agents tell."""

from __future__ import annotations

import pytest

from loopwright.records.budget import Usage
from loopwright.records.event import EventKind
from loopwright.text.bounded import TEXT_LIMIT
from loopwright.text.told import RAW_LIMIT, error, message, raw, usage_event


def test_words_are_cut_and_say_so() -> None:
    """What is too long is cut, its data says how long it was, and what else is told stays."""
    event = message("x" * (TEXT_LIMIT + 1), EventKind.SYSTEM, subtype="plan")
    assert (event.kind, len(event.text)) == (EventKind.SYSTEM, TEXT_LIMIT)
    assert event.data == {"subtype": "plan", "cut_from": TEXT_LIMIT + 1}
    assert message("hi").data == {}


def test_a_line_is_kept_without_its_end() -> None:
    """What is not understood is kept as it came, up to a length, without the end of its line."""
    assert (raw(" odd \r\n").kind, raw(" odd \r\n").text) == (EventKind.RAW, " odd ")
    assert len(raw("x" * (RAW_LIMIT + 1)).text) == RAW_LIMIT


@pytest.mark.parametrize(("cost", "words"), [(0.5, "$0.5000"), (None, "cost unknown")])
def test_tokens_and_cost_are_told(cost: float | None, words: str) -> None:
    """What a cache gave counts as input in words, each count is kept apart, and a cost may be unknown."""
    event = usage_event(Usage(1200, 300, 40), cost)
    assert event.text == f"1,240 tokens in, 300 out, {words}"
    assert event.data == {"input": 1200, "output": 300, "cache_read": 40, "cache_write": 0, "cost_usd": cost}


def test_only_an_error_has_kind_and_fingerprint() -> None:
    """Two failures in the same words are alike; what has not failed has neither kind nor fingerprint."""
    assert error(False, "boom") == {"is_error": False, "error_kind": None, "fingerprint": None}
    assert error(True, "boom") == error(True, "boom")
    assert error(True, "boom")["error_kind"] == "PARSED_ERROR"
    assert error(True, "boom")["fingerprint"] != error(True, "another")["fingerprint"]
