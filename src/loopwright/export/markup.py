"""Somebody else's words -> HTML that shows them and does nothing else: only a terminal's colours survive."""

from __future__ import annotations

import html
import re

from loopwright.text.excerpt import plain

_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b\u200c\u200e\u200f"
    "\u2028-\u202e\u2060-\u206f\u3164\ud800-\udfff\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\U000e0000-\U000e0fff]"
)
"""What steers or hides: control characters, marks of direction, signs without a width, halves of pairs."""
_COLOUR = re.compile("\x1b\\[([0-9;:]{0,100})m")
_NAMES = ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")
_STYLES = {1: "bold", 2: "dim", 3: "italic", 4: "underline"}
_ENDS = {22: ("bold", "dim"), 23: ("italic",), 24: ("underline",)}


def text(words: str) -> str:
    """Write words as HTML; what can't be seen is shown by its number."""
    if not words.isprintable() and _HIDDEN.search(words):
        return "".join(_shown(part) for part in _parted(words))
    return html.escape(words)


def coloured(words: str) -> str:
    """Write what was meant for a terminal as HTML; its colours become classes of ours."""
    if "\x1b" not in words and "\r" not in words:
        return text(words)
    words = "\n".join(line.rstrip("\r").rpartition("\r")[2] for line in words.split("\n"))
    parts, classes, done = [], frozenset[str](), 0
    for found in _COLOUR.finditer(words):
        parts.append(_span(words[done : found.start()], classes))
        classes, done = _after(classes, found[1]), found.end()
    return "".join([*parts, _span(words[done:], classes)])


def _parted(words: str) -> list[str]:
    """Part words into pieces that are all seen, and single signs that are not."""
    parts, done = [], 0
    for found in _HIDDEN.finditer(words):
        parts += [words[done : found.start()], found[0]]
        done = found.end()
    return [*parts, words[done:]]


def _shown(part: str) -> str:
    if len(part) == 1 and _HIDDEN.match(part):
        return f'<span class="hidden-sign">U+{ord(part):04X}</span>'
    return html.escape(part)


def _span(words: str, classes: frozenset[str]) -> str:
    written = text(plain(words))
    return f'<span class="{" ".join(sorted(classes))}">{written}</span>' if classes and written else written


def _after(classes: frozenset[str], codes: str) -> frozenset[str]:
    """Give the classes that hold after a code; what is not known changes nothing."""
    numbers = [int(code) if code.isdigit() else 0 for code in codes.replace(":", ";").split(";")]
    held, place = set(classes), 0
    while place < len(numbers):
        number = numbers[place]
        place += 1
        if number in (38, 48):  # a colour of 256, or of all: by its number, or not at all
            place += _extended(held, number, numbers[place:])
        else:
            _apply(held, number)
    return frozenset(held)


def _extended(held: set[str], number: int, rest: list[int]) -> int:
    if rest[:1] == [5] and len(rest) > 1 and rest[1] < 16:
        _apply(held, (rest[1] % 8) + (90 if rest[1] > 7 else 30) + (10 if number == 48 else 0))
    return {5: 2, 2: 4}.get(rest[0], 1) if rest else 0


def _apply(held: set[str], number: int) -> None:
    if number == 0:
        held.clear()
    elif number in _STYLES:
        held.add(_STYLES[number])
    elif number in _ENDS:
        held.difference_update(_ENDS[number])
    elif number % 10 <= 7 and number // 10 in (3, 9, 4, 10):
        ground = "on" if number // 10 in (4, 10) else "ink"
        _leave(held, ground)
        held.add(f"{ground}-{_NAMES[number % 10]}")
    elif number in (39, 49):
        _leave(held, "ink" if number == 39 else "on")


def _leave(held: set[str], ground: str) -> None:
    held.difference_update([name for name in held if name.startswith(f"{ground}-")])
