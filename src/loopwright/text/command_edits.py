"""A shell command that edits files -> what it puts there: `sed -i`, `perl -pi`, `echo` or a text into a file.

Tests that it moves to where no runner finds them are deleted ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from loopwright.text.changes import Change
from loopwright.text.commands import ECHOES, Part, parts_of
from loopwright.text.test_edits import is_test_file

_EDITORS = frozenset({"sed", "gsed", "perl"})
_IN_PLACE = re.compile(r"-\w*i|--in-place")
_ADDRESS = re.compile(r"(?:\d+|\$|/(?:[^/\\]|\\.)*/)?(?:,(?:\+?\d+|\$|/(?:[^/\\]|\\.)*/))?!?\s*")
_DOCUMENT = re.compile(r"<<-?[ ]?[\"']?(\w{1,60})[\"']?")
_INTO = re.compile(r"(?:^|[^>\d&])>[ ]?[\"']?([^\s\"'<>;|&]{1,300})")
_LONGEST = 20_000
_SOMETHING = "\n"
"""What was there before, where that is not known."""


def edits_by(command: str) -> Iterator[Change]:
    """Give the edits of a command, as far as it says."""
    for part in parts_of(command):
        if part.program in _EDITORS and any(_IN_PLACE.match(word) for word in part.words[1:]):
            yield from _edits(part)
        elif part.program in ECHOES:
            text = _plain(" ".join(part.words[1:]))
            yield from (Change(path, _SOMETHING, text) for path in part.into)
    yield from _written(command)
    yield from _put_aside(parts_of(command))


def _written(command: str) -> Iterator[Change]:
    """Give the files that a command writes anew with a text that it has in it, where that is whole."""
    lines = command[:_LONGEST].split("\n") if "<<" in command else []
    at = 0
    while at < len(lines):
        mark, into = _DOCUMENT.search(lines[at]), _INTO.search(lines[at])
        at += 1
        if not mark:
            continue
        begins = at
        while at < len(lines) and lines[at].strip() != mark[1]:
            at += 1
        if into and at < len(lines):
            yield Change(into[1], "", "\n".join(lines[begins:at]), is_whole=True)


def _put_aside(parts: tuple[Part, ...]) -> Iterator[Change]:
    """Give the tests that are moved to where no runner finds them, and not back again."""
    for number, part in enumerate(parts, 1):
        given = [word for word in part.words[1:] if not word.startswith("-")]
        given = given[1:] if part.program == "git" and part.verb == "mv" else given
        if len(given) != 2 or (part.program != "mv" and (part.program, part.verb) != ("git", "mv")):
            continue
        path, place = given
        back = any(place in later.words or path in later.words for later in parts[number:])
        if is_test_file(path) and _is_aside(path, place) and not back:
            yield Change(path, is_deleted=True)


def _is_aside(path: str, place: str) -> bool:
    name = path.rstrip("/").rpartition("/")[2]
    new = place.rstrip("/").rpartition("/")[2]
    if name.startswith("test_") and new == f"_{name}":
        return True  # pytest looks at how a name begins
    is_folder = "." not in new
    return place.startswith("/tmp/") or not is_test_file(f"{place.rstrip('/')}/{name}" if is_folder else place)


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
