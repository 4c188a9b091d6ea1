"""Somebody else's words -> without what would steer a terminal: colours, titles, a cursor that goes back."""

from __future__ import annotations

from loopwright.text.excerpt import TERMINAL_CODES


def readable(text: str) -> str:
    """Give words as they can be shown; what can't be seen, or would write over others, is shown as `�`."""
    lines = [line.rstrip("\r") for line in TERMINAL_CODES.sub("", text).split("\n")]
    return "\n".join(line if line.isprintable() else _without_steering(line) for line in lines)


def _without_steering(line: str) -> str:
    return "".join(sign if sign.isprintable() or sign == "\t" else "�" for sign in line)
