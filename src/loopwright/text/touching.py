"""A tool call of any agent -> the lines of files that it reads, and what it changes: one place knows all tools."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from loopwright.records.event import Event
from loopwright.text.bounded import field, first_field, items, mapping
from loopwright.text.commands import Part, actions_of, is_look, is_looking, parts_of

_READING = frozenset(
    {
        *("read", "read_file", "readfile", "view", "view_file", "open_file", "notebookread", "open", "cat"),
        *("fs_read", "get_file_contents", "read_text_file"),
    }
)
_EDITING = frozenset(
    {
        *("edit", "write", "multiedit", "notebookedit", "write_file", "edit_file", "replace", "apply_patch", "create"),
        *("create_file", "patch", "str_replace", "str_replace_editor", "str_replace_based_edit_tool", "insert"),
        *("write_to_file", "replace_in_file", "insert_edit_into_file", "search_replace", "delete", "delete_file"),
        *("file_change", "move", "applypatch", "fs_write", "replace_string_in_file", "smart_edit", "undo_edit"),
    }
)
_LOOKING = frozenset(
    {
        *("grep", "glob", "ls", "list", "list_dir", "list_directory", "search", "search_files", "search_file_content"),
        *("codebase_search", "grep_search", "find_file", "search_dir", "read_many_files", "file_search"),
    }
)
SEARCHING = frozenset({"websearch", "webfetch", "web_search", "web_fetch", "web-search", "google_web_search", "fetch"})
_NOTING = frozenset(
    {
        *("todowrite", "todoread", "taskcreate", "taskupdate", "tasklist", "taskget", "update_plan", "save_memory"),
        *("toolsearch", "tool_search", "think"),
    }
)
_EITHER = frozenset({"str_replace_editor", "str_replace_based_edit_tool"})
_PATHS = ("file_path", "filePath", "path", "absolute_path", "target_file", "filename", "notebook_path", "file")
_FIRST = ("offset", "start_line", "startLine", "start_line_one_indexed", "line_start", "first_line", "from_line")
_LAST = ("end_line", "endLine", "end_line_one_indexed_inclusive", "line_end", "last_line", "to_line")
_PATCHED = re.compile(r"^\*\*\* (?:Update|Add|Delete) File: (.+)$|^\+\+\+ (?:b/)?(\S+)", re.MULTILINE)
_SED = re.compile(r"(\d+),(?:(\d+)|\$|\+(\d+))p")
_DEFAULT_LINES = 2_000
"""So many are read where nobody says how many."""
_SHORT = 10
"""What `head` and `tail` give."""
_MOST_PATCH = 50_000
_GIT_CHANGES = frozenset(
    {
        *("checkout", "switch", "restore", "reset", "merge", "rebase", "pull", "stash", "cherry-pick", "revert"),
        *("apply", "am", "rm", "mv", "clean", "bisect", "submodule"),
    }
)
_UNPACKING = frozenset({"patch", "rsync", "tar", "unzip", "alembic", "prisma"})
"""They change files that they do not name."""
_CHANGING = _UNPACKING | {"mv", "cp", "rm", "touch", "ln", "tee", "truncate", "apply_patch", "dd", "install"}
_SCRIPTING = frozenset({"python", "python3", "node", "perl", "ruby"})
_FILE = re.compile(r"^[^*?]*\.(?!patch$|diff$)[A-Za-z]\w{0,9}$")
_FORMATTERS = frozenset({"gofmt", "goimports", "black", "isort", "autopep8", "rustfmt", "fmt", "format", "prettier"})
_MENDING = ("--fix", "--write", "-w", "--in-place", "-i", "--apply", "--unsafe-fixes", "--update-snapshot", "--update")
_VERBS = frozenset(
    {"generate", "install", "add", "get", "update", "upgrade", "sync", "tidy", "migrate", "codegen", "fix"}
)
_ASIDE = re.compile(r"^(?:/var)?/tmp/|\.(?:log|txt|out)$|^-|^\d+$")
"""What is written there is no file of the project."""


@dataclass(frozen=True, slots=True)
class Span:
    """Some lines of a file."""

    path: str
    first: int
    last: int
    """Both count from 1; a last one below 1 counts from the end."""


def spans_of(call: Event) -> list[Span]:
    """Give the lines of files that a call reads, as far as it says."""
    if call.command:
        return _read_by(call.command)
    tool, given = (call.tool or "").lower(), mapping(call.data.get("input"))
    if tool not in _READING and not (tool in _EITHER and given.get("command") == "view"):
        return []
    path = call.path or first_field(given, _PATHS)
    return [Span(path, *_lines(given))] if path else []


def is_edit(call: Event) -> bool:
    """Say whether a call is one of a tool that changes files."""
    tool = (call.tool or "").lower()
    if tool in _EITHER:
        return mapping(call.data.get("input")).get("command") != "view"
    if tool in _EDITING:
        return True
    command = call.command or ""
    return "apply_patch" in command and any(part.program == "apply_patch" for part in parts_of(command))


def edited_by(call: Event) -> list[str]:
    """Name the files that an edit changes, as far as it says."""
    given = mapping(call.data.get("input"))
    named = [call.path or "", *(field(given.get(name)) for name in _PATHS)]
    for text in (call.command, *given.values()):
        if isinstance(text, str) and ("*** " in text or "+++ " in text):
            named += [one or other for one, other in _PATCHED.findall(text[:_MOST_PATCH])]
    changes = given.get("changes")
    named += [field(mapping(change).get("path")) for change in items(changes)]
    named += [field(path) for path in mapping(changes)]
    return list(dict.fromkeys(filter(None, named)))


@lru_cache(256)
def may_change(command: str, formatting: bool = True) -> bool:
    """Say whether a command may change files of the project: one that builds or tests does not.

    What only puts code into shape can be left out: no test fails by that.
    """
    return any(_changes(part, formatting) for part in parts_of(command))


def _changes(part: Part, formatting: bool) -> bool:
    if any(not _ASIDE.search(path) for path in part.into):
        return True
    words = part.words[1:]
    if part.program == "git":
        return part.verb in _GIT_CHANGES and "list" not in words and "show" not in words
    if is_look(part) and part.program != "tee":
        return False
    if part.program in _FORMATTERS or any(word.partition(":")[0] in _FORMATTERS for word in words[:3]):
        return formatting and not any("check" in word for word in words)
    if part.program in _CHANGING:
        return any(not _ASIDE.search(word) for word in words)
    if part.program in _SCRIPTING:
        return any(word in ("-", "-c", "-e", "-pi", "-i") for word in words[:2]) or not words
    return any(word in _MENDING for word in words) or any(word.partition(":")[0] in _VERBS for word in words[:3])


def changes_unnamed(command: str) -> bool:
    """Say whether a command may change files of the project that it does not name, as `git pull` does."""
    return any(
        _changes(part, True) and not _is_named(part) and (part.program not in _SCRIPTING or "write" in command)
        for part in parts_of(command)
    )


def changed_by(command: str) -> list[str]:
    """Name the files that a command may change; none where it may change others too."""
    found: list[str] = []
    for part in (part for part in parts_of(command) if _changes(part, False)):
        named = [*part.into, *(word for word in part.words[1:] if _FILE.search(word))]
        if not named or part.program == "git" or part.program in _SCRIPTING or part.program in _UNPACKING:
            return []
        found += named
    return found


def _is_named(part: Part) -> bool:
    if part.program in _UNPACKING:
        return False
    return part.program in _CHANGING or any(map(_FILE.search, (*part.words[1:], *part.into)))


def is_reading(call: Event) -> bool:
    """Say whether a call looks at something, or keeps notes, and does nothing else."""
    if call.command:
        return is_looking(call.command)
    tool = (call.tool or "").lower()
    return tool in _LOOKING or tool in SEARCHING or tool in _NOTING or bool(spans_of(call))


def reads_files(call: Event) -> bool:
    """Say whether a call looks at files, or for them, and changes none."""
    if call.command:
        return bool(actions_of(call.command)) and is_looking(call.command) and not may_change(call.command)
    tool = (call.tool or "").lower()
    return tool in _READING or tool in _LOOKING or bool(spans_of(call))


def _lines(given: Mapping[str, Any]) -> tuple[int, int]:
    view = given.get("view_range") or given.get("range")
    if isinstance(view, list) and len(view) == 2 and all(isinstance(end, int) for end in view):
        return max(1, view[0]), view[1]
    first = _number(given, _FIRST) or 1
    last = _number(given, _LAST)
    if last is not None:
        return first, last
    limit = _number(given, ("limit", "lines", "num_lines", "line_count", "max_lines"))
    return first, first + (limit or _DEFAULT_LINES) - 1


def _number(given: Mapping[str, Any], names: tuple[str, ...]) -> int | None:
    for name in names:
        value = given.get(name)
        if isinstance(value, int) and not isinstance(value, bool):
            return value
        if isinstance(value, str) and value.isdecimal() and len(value) < 10:
            return int(value)
    return None


def _read_by(command: str) -> list[Span]:
    """Give what `cat`, `head`, `tail`, `nl` and `sed -n` read, also where one is piped into the other."""
    found: list[Span] = []
    for part in parts_of(command):
        if part.is_piped and found and part.program in ("sed", "head", "tail"):
            found[-1] = Span(found[-1].path, *_range(part))
        elif part.is_piped:
            found = found[:-1]  # what goes through another filter is not the file any more
        elif part.program in ("cat", "nl", "bat", "head", "tail", "sed") and is_look(part) and not part.into:
            found += [Span(path, *_range(part)) for path in _files(part)]
    return found


def _range(part: Part) -> tuple[int, int]:
    if part.program == "sed":
        ranges = [_SED.match(word) for word in part.words[1:]]
        match = next((one for one in ranges if one), None)
        if match is None:
            return 1, _DEFAULT_LINES
        first = int(match[1][:9])
        return first, int(match[2][:9]) if match[2] else first + int((match[3] or "2000")[:9])
    if part.program in ("head", "tail"):
        counts = [word.lstrip("-n=") for word in part.words[1:] if word.lstrip("-n=").isdecimal()]
        count = int(counts[0][:9]) if counts else _SHORT
        return (1, count) if part.program == "head" else (-count, 0)
    return 1, _DEFAULT_LINES


def _files(part: Part) -> list[str]:
    words = [word for word in part.words[1:] if not word.startswith("-") and not word.isdecimal()]
    return [
        word for word in words if not (part.program == "sed" and (_SED.match(word) or word.endswith(("p", "d", ";"))))
    ]
