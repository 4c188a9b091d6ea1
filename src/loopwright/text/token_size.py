"""How many tokens a text is, about: nobody has every model's own counter at hand."""

from __future__ import annotations

_BYTES = 4
"""A token of today's models holds about so many bytes of English or code."""


def token_size(text: str) -> int:
    """Count them, about."""
    return -(-len(text.encode(errors="surrogatepass")) // _BYTES)
