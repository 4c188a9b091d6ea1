"""What a stranger's program holds open."""

from __future__ import annotations

from loopwright.text.bounded import forget_oldest


def test_the_oldest_is_forgotten() -> None:
    """What is one too many goes, and it is the one that came first."""
    held = {"b": 1, "a": 2}
    forget_oldest(held, most=2)
    assert list(held) == ["b", "a"]
    forget_oldest(held, most=1)
    assert list(held) == ["a"]
