"""Somebody else's words -> what can be trusted to be what it looks like: no turned text, no letters in disguise."""

from __future__ import annotations

import re
import unicodedata

from loopwright.text.readable import readable

_WORD = re.compile(r"[^\W\d_]+")


def undisguised(text: str) -> str:
    """Write words on one line; what is not seen, turns text around or only looks like a Latin letter is escaped."""
    shown = "".join(_escaped(sign) if unicodedata.category(sign) == "Cf" else sign for sign in text)
    return " ".join(_WORD.sub(lambda word: _word(word[0]), readable(shown)).split())


def _word(word: str) -> str:
    """Escape the other letters of a word that has Latin ones."""
    if word.isascii():
        return word
    scripts = [unicodedata.name(sign, "?").partition(" ")[0] for sign in word]
    if "LATIN" not in scripts or all(script == "LATIN" for script in scripts):
        return word
    return "".join(sign if script == "LATIN" else _escaped(sign) for sign, script in zip(word, scripts, strict=True))


def _escaped(sign: str) -> str:
    return f"\\u{ord(sign):04x}"
