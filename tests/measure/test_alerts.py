"""What a human is told of without asking."""

from __future__ import annotations

from loopwright.measure.alerts import alerts, too_few


def test_more_than_the_limit_is_told() -> None:
    """Types of signals over the number are named, the most frequent first."""
    found = alerts({"error_loop": 30, "timeout": 5, "tamper": 90}, 100, 20.0)
    assert [words.split(":")[0] for words in found] == ["tamper", "error_loop"]
    assert "90 for 100 runs, over the 20 of" in found[0]


def test_it_is_quiet_unless_asked() -> None:
    """Nothing is said where no number is set, or where there are too few runs for a rate."""
    assert alerts({"tamper": 90}, 100, None) == ()
    assert alerts({"tamper": 9}, 9, 1.0) == ()


def test_too_few_runs_are_said() -> None:
    """Below ten runs it is told that nothing can be said."""
    assert too_few(9).endswith("9 of 10")
    assert too_few(10) == ""
