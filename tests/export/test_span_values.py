"""Values are written as OTLP/JSON has them."""

from __future__ import annotations

import pytest

from loopwright.export.span_values import attributes, failed, nanoseconds, provider, whole, written


def test_attributes() -> None:
    """Each kind of value has its name, numbers are text, what is too large is text, and nothing is left out."""
    told = {"a": True, "b": 7, "c": 10**30, "d": 0.5, "e": float("inf"), "f": None, "g": "\ud800"}
    assert [(one["key"], one["value"]) for one in attributes(told)] == [
        ("a", {"boolValue": True}),
        ("b", {"intValue": "7"}),
        ("c", {"stringValue": str(10**30)}),
        ("d", {"doubleValue": 0.5}),
        ("e", {"stringValue": "inf"}),
        ("g", {"stringValue": "?"}),
    ]


def test_times_and_words() -> None:
    """What is no time is 0; halves of characters are replaced; what failed says why; data is JSON."""
    assert (nanoseconds("yesterday"), nanoseconds("1900-01-01")) == (0, 0)
    assert nanoseconds("1970-01-01T00:00:01Z") == 1_000_000_000
    assert (whole("a\udc00"), failed("no"), written({"a": 1})) == ("a?", {"code": 2, "message": "no"}, '{"a": 1}')
    assert written(None) is None


@pytest.mark.parametrize(
    ("model", "name"), [("openrouter/gpt-5", "openai"), ("gemini-3-pro", "gcp.gemini"), ("x", "unknown")]
)
def test_providers(model: str, name: str) -> None:
    """A model's provider is named as the conventions have it."""
    assert provider(model) == name
