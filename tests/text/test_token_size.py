"""How many tokens a text is, about."""

from __future__ import annotations

from loopwright.text.token_size import token_size


def test_about_four_bytes_each() -> None:
    """Nothing has none, and other scripts have more for each letter."""
    assert [token_size(text) for text in ("", "a", "abcd", "abcde", "日本語字")] == [0, 1, 1, 2, 3]
