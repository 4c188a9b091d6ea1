"""Text -> about how many tokens it is, for every model alike: no vendor's own count is at hand for all of them."""

from __future__ import annotations

import math

_PER_TOKEN = 4
"""Characters of English or code; most vendors name this number themselves."""


def tokens_in(text: str) -> int:
    """Estimate the tokens of a text: one for four plain characters, one for each of another script."""
    plain = sum(1 for sign in text if sign.isascii())
    return math.ceil(plain / _PER_TOKEN) + len(text) - plain
