"""A text that is cut -> the same without the word at the cut: half of a secret is not known for one."""

from __future__ import annotations

import string

_SIGNS = string.ascii_letters + string.digits + "_-+/.=~%!$@#^&*:?"
"""What passwords, keys and the URLs around them are made of."""
_LONGEST = 4_100
"""No key that is known is longer."""
_PLAIN = 4
"""A word of fewer different signs is none."""


def beginning(text: str, limit: int) -> str:
    """Give the first so many characters, without a word that may go on."""
    if len(text) <= limit:
        return text
    word = text[max(0, limit - _LONGEST) : limit]
    return text[: limit - _length(word, len(word.rstrip(_SIGNS)), len(word))]


def rest(text: str) -> str:
    """Give what was cut from a longer text, without a word that may have begun before."""
    word = text[:_LONGEST]
    return text[_length(word, 0, len(word) - len(word.lstrip(_SIGNS))) :]


def _length(text: str, first: int, last: int) -> int:
    return last - first if len(set(text[first:last])) >= _PLAIN else 0
