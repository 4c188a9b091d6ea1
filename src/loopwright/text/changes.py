"""A tool call of any agent -> what it changes in which file: the text that went, and the text that came."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from loopwright.records.event import Event
from loopwright.text.bounded import first_field, mapping
from loopwright.text.commands import parts_of
from loopwright.text.touching import edited_by, is_edit

_OLD = ("old_string", "oldString", "old_str", "old_text", "oldText")
_NEW = ("new_string", "newString", "new_str", "new_text", "newText")
_WHOLE = ("content", "file_text", "contents")
_PATCHES = ("input", "patch", "patchText", "patch_text")
_MOST_LINES = 5000


@dataclass(frozen=True, slots=True)
class Change:
    """One change of one file."""

    path: str
    old: str = ""
    new: str = ""
    is_whole: bool = False
    """The file was written anew: what was in it before is not known."""
    is_deleted: bool = False

    @property
    def is_edit(self) -> bool:
        """Whether something that was there became something else."""
        return bool(self.old) and not self.is_deleted


def changes_of(call: Event) -> Sequence[Change]:
    """Give the changes that a call makes, as far as it says; for a command, the files that it deletes or writes."""
    if call.command and not call.command.lstrip().startswith("apply_patch"):
        return list(_by_command(call.command))
    if not is_edit(call):
        return ()
    given = mapping(call.data.get("input"))
    for text in (call.command, *(given.get(name) for name in _PATCHES)):
        if isinstance(text, str) and "*** " in text:
            return list(_by_patch(text))
    path = next(iter(edited_by(call)), "")
    return [change for edit in _edits(given) if (change := _change(path, edit))] if path else ()


def _edits(given: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    edits = given.get("edits")
    return [mapping(edit) for edit in edits] if isinstance(edits, list) else [given]


def _change(path: str, edit: Mapping[str, Any]) -> Change | None:
    old, new = first_field(edit, _OLD), first_field(edit, _NEW)
    if old or new:
        return Change(path, old, new)
    whole = first_field(edit, _WHOLE)
    return Change(path, "", whole, is_whole=True) if whole else None


def _by_patch(text: str) -> Iterator[Change]:
    """Read a patch as Codex writes it."""
    path, word, old, new = "", "", list[str](), list[str]()
    for line in (*text.splitlines()[:_MOST_LINES], "*** End"):
        if line.startswith("*** "):
            if path and line.startswith(("*** Update", "*** Add", "*** Delete", "*** End")):
                yield Change(path, "\n".join(old), "\n".join(new), word == "Add", word == "Delete")
                path, old, new = "", [], []
            word, _, named = line[4:].partition(" File: ")
            path = named.strip() if named else path
        elif not path:
            continue
        elif line.startswith("-"):
            old.append(line[1:])
        elif line.startswith("+"):
            new.append(line[1:])
        elif not line.startswith("@@"):
            old.append(line[1:])
            new.append(line[1:])


def _by_command(command: str) -> Iterator[Change]:
    for part in parts_of(command):
        is_git = part.program == "git" and part.verb == "rm"
        gone = part.words[2:] if is_git else part.words[1:] if part.program == "rm" else ()
        yield from (Change(word, is_deleted=True) for word in gone if not word.startswith("-"))
        yield from (Change(path, is_whole=True) for path in part.into)
