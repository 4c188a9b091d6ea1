"""Cursor's lines, written by hand from its documentation."""

from __future__ import annotations

import pytest

from loopwright.records.budget import Usage
from loopwright.text.cursor_lines import result_of, said_in, tool_of, usage_of


def test_a_tool_is_named_by_its_key() -> None:
    """The key that ends in ToolCall names the tool; what is beside it, and what is no object, does not."""
    line = {"tool_call": {"x": 1, "readToolCall": {"args": {"path": "a"}, "result": {"success": {"content": "b"}}}}}
    assert tool_of(line) == ("read", {"path": "a"}, {"success": {"content": "b"}})
    assert tool_of({"tool_call": {"readToolCall": 3, "ToolCall": {}}}) is None
    assert tool_of({}) is None


@pytest.mark.parametrize(
    ("result", "told"),
    [
        ({"success": {"exitCode": 0, "stdout": "a", "stderr": "b"}}, ("ok", "a\nb", 0)),
        ({"success": {"exitCode": 2, "stdout": "a"}}, ("error", "a", 2)),
        ({"failure": {"exitCode": 1, "stderr": "b"}}, ("error", "b", 1)),
        ({"error": {"errorMessage": "no such file"}}, ("error", "no such file", None)),
        ({"error": "no such file"}, ("error", "no such file", None)),
        ({"rejected": {"reason": "not you"}}, ("denied", "not you", None)),
        ({"success": {"exitCode": True}}, ("ok", "", None)),
        ({}, ("ok", "", None)),
    ],
)
def test_a_result_says_what_became_of_it(result: dict[str, object], told: tuple[str, str, int | None]) -> None:
    """Success, failure and denial are keys; a command that left with a code has failed all the same."""
    assert result_of(result) == told


def test_words_and_tokens() -> None:
    """Words are text or parts of it; tokens that are not told are none."""
    assert said_in({"message": {"content": [{"text": "a"}, {"text": "b"}, 3]}}) == "ab"
    assert said_in({"message": {"content": "a"}}) == "a"
    assert said_in({"message": 3}) is None
    assert usage_of({"inputTokens": 3, "outputTokens": "x"}) == Usage(3)
