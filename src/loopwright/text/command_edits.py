"""A shell command that edits files in place -> what it puts there: `sed -i`, `perl -pi`, `echo` into a file."""

from __future__ import annotations

import re
from collections.abc import Iterator

from loopwright.text.changes import Change
from loopwright.text.commands import Part, parts_of

_EDITORS = frozenset({"sed", "gsed", "perl"})
_ECHOES = frozenset({"echo", "printf"})
_IN_PLACE = re.compile(r"-\w*i|--in-place")
_ADDRESS = re.compile(r"(?:\d+|\$|/(?:[^/\\]|\\.)*/)?(?:,(?:\+?\d+|\$|/(?:[^/\\]|\\.)*/))?!?\s*")
_SOMETHING = "\n"
"""What was there before, where that is not known."""


def edits_by(command: str) -> Iterator[Change]:
    """Give the edits of a command, as far as it says."""
    for part in parts_of(command):
        if part.program in _EDITORS and any(_IN_PLACE.match(word) for word in part.words[1:]):
            yield from _edits(part)
        elif part.program in _ECHOES:
            text = _plain(" ".join(part.words[1:]))
            yield from (Change(path, _SOMETHING, text) for path in part.into)


def _edits(part: Part) -> Iterator[Change]:
    given = [word for word in part.words[1:] if not word.startswith("-")]
    scripts = [found for word in given if (found := _replaced(word))]
    files = [word for word in given if _replaced(word) is None]
    yield from (Change(path, old or _SOMETHING, new) for path in files for old, new in scripts)


def _replaced(script: str) -> tuple[str, str] | None:
    """Give what a script of sed looks for and what it writes; None where it is none."""
    begins = _ADDRESS.match(script)
    rest = script[begins.end() :] if begins else script
    if rest[:1] == "s" and not rest[1:2].isalnum() and rest[1:2].strip():
        old, found, new = _halves(rest[2:], rest[1])
        return (_plain(old).strip("^$"), _plain(_halves(new, rest[1])[0])) if found else None
    if rest[:1] in ("i", "a", "c") and rest[1:2] in ("\\", " ", "\n"):
        return "", _plain(rest[2:].lstrip("\\ \n"))
    return None


def _halves(text: str, sign: str) -> tuple[str, str, str]:
    """Part a text at a sign that is not escaped."""
    at = 0
    while at < len(text) and text[at] != sign:
        at += 2 if text[at] == "\\" else 1
    return text[:at], text[at : at + 1], text[at + 1 :]


def _plain(text: str) -> str:
    """Read escapes: a line's end, and signs that are meant as such; not what a pattern says with a letter."""
    return re.sub(r"\\(?:[A-Za-z]|(.))", r"\1", text.replace("\\n", "\n"))
