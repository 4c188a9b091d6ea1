"""The call of a tool that edits files -> the lines that it adds and removes, as far as its arguments tell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Lines = tuple[int, int]
"""Added, removed."""
_OLD = ("old_string", "oldString", "old_str", "old_text")
_NEW = ("new_string", "newString", "new_str", "new_text")
_WHOLE = ("content", "file_text", "contents")
_WRITERS = frozenset({"write", "writefile", "create", "createfile", "writetofile"})
_PATCH = "*** Begin Patch"
_PATCH_HEADS = ("+++", "---", "***")


def edited_lines(tool: str, given: Mapping[str, Any], command: str = "") -> Lines | None:
    """Count the lines of an edit; None where a call is none, or does not say."""
    if isinstance(edits := given.get("edits"), Sequence) and not isinstance(edits, str):
        counted = [_replaced(edit) for edit in edits if isinstance(edit, Mapping)]
        return _sum([lines for lines in counted if lines])
    if lines := _replaced(given):
        return lines
    for patch in (given.get("input"), given.get("patch"), given.get("patchText"), command):
        if isinstance(patch, str) and _PATCH in patch:
            return _patched(patch)
    if tool.lower().replace("_", "") in _WRITERS:
        text = _first(given, _WHOLE)
        return None if text is None else (len(text.splitlines()), 0)
    return None


def counted_words(words: str) -> Lines | None:
    """Read what git says in short: `2 files changed, 10 insertions(+), 3 deletions(-)`."""
    if "changed" not in words:
        return None
    found = {"insertion": 0, "deletion": 0}
    for part in words.split(","):
        number, _, noun = part.strip().partition(" ")
        for kind in found:
            if noun.startswith(kind) and number.isdecimal():
                found[kind] = int(number)
    return found["insertion"], found["deletion"]


def _replaced(given: Mapping[str, Any]) -> Lines | None:
    old, new = _first(given, _OLD), _first(given, _NEW)
    if old is None or new is None:
        return None
    before, after = old.splitlines(), new.splitlines()
    same = _alike(before, after)
    before, after = before[same:], after[same:]
    same = _alike(before[::-1], after[::-1])
    return len(after) - same, len(before) - same


def _alike(one: Sequence[str], other: Sequence[str]) -> int:
    """Count the lines with which both begin."""
    for number, (left, right) in enumerate(zip(one, other, strict=False)):
        if left != right:
            return number
    return min(len(one), len(other))


def _patched(patch: str) -> Lines:
    lines = [line for line in patch[patch.index(_PATCH) :].splitlines() if not line.startswith(_PATCH_HEADS)]
    return sum(line.startswith("+") for line in lines), sum(line.startswith("-") for line in lines)


def _first(given: Mapping[str, Any], names: Sequence[str]) -> str | None:
    return next((given[name] for name in names if isinstance(given.get(name), str)), None)


def _sum(counted: Sequence[Lines]) -> Lines | None:
    return (sum(added for added, _ in counted), sum(removed for _, removed in counted)) if counted else None
