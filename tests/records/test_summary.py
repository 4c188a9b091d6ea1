from __future__ import annotations

from loopwright.records.budget import Usage
from loopwright.records.session import DailyUsage
from loopwright.records.summary import Summary, ToolUse


def test_calls_and_errors_are_those_of_all_tools() -> None:
    """A session's calls and errors are summed over its tools."""
    session = Summary("r", "s", "claude_code", "/a", tools=[ToolUse("Bash", 3, 1), ToolUse("", 2, 2)])
    assert (session.tool_calls, session.tool_errors) == (5, 3)


def test_models_without_a_price_are_named_once() -> None:
    """A model whose price nobody knows is named, however many days it was used on."""
    used = [DailyUsage("2026-11-16", "b", Usage(1)), DailyUsage("2026-11-17", "b", Usage(1))]
    priced = DailyUsage("2026-11-16", "a", Usage(1), 0.0)
    assert Summary("r", "s", "a", "/a", usage=[*used, priced]).unpriced == ["b"]


def test_only_raw_lines_are_not_understood() -> None:
    """A session is not understood when it has nothing but raw lines."""
    assert not Summary("r", "s", "a", "/a", raw_lines=3).is_understood
    assert Summary("r", "s", "a", "/a", raw_lines=3, prompts=1).is_understood
    assert Summary("r", "s", "a", "/a").is_understood
