"""Somebody else's words -> a block that can't be taken for ours."""

from __future__ import annotations


def fenced(text: str) -> str:
    """Put text between fences that it does not hold itself."""
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}\n{text}\n{fence}"
