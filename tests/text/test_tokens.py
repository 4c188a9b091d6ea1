"""How many tokens a text is, about."""

from __future__ import annotations

from loopwright.text.tokens import tokens_in


def test_tokens_are_about_a_quarter_of_the_characters() -> None:
    """Four plain characters are one, a part of four counts, each sign of another script is one; nothing is none."""
    assert [tokens_in(text) for text in ("", "a", "abcd", "abcde", "你好", "ab你")] == [0, 1, 1, 2, 2, 2]
    assert tokens_in("word " * 1000) == 1250
