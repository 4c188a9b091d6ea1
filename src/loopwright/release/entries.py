"""A library entry <-> its Markdown with front matter."""

from __future__ import annotations

import dataclasses
import difflib
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from loopwright.errors import UsageError
from loopwright.records.library import Entry
from loopwright.records.shape import ShapeError, record
from loopwright.records.task import TASK_TYPES

FIELDS = (*("kind", "title", "description", "detection", "applies_to", "role", "date", "source", "evidence", "status"),)
_LISTS = ("detection", "applies_to")
_VERSION = "version"
_LONGEST = 20_000
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,59}")
_TITLE = re.compile(r"(?P<name>[a-z0-9][a-z0-9-]{0,59})@(?P<number>[1-9]\d{0,5})")
_START = "begin with a line `---`, then kind, title and description, a line `---`, and what an agent is told"


class EntryError(UsageError):
    """An entry that can't be read; `line` is where."""

    def __init__(self, message: str, line: int, hint: str = "") -> None:
        super().__init__(message, hint)
        self.line = line


def content_of(entry: Entry) -> str:
    """Write an entry down."""
    head = [f"{name}: {_value(getattr(entry, name))}" for name in FIELDS]
    return "\n".join(["---", *head, "---", "", entry.remedy.strip(), ""])


def file_of(content: str, number: int) -> str:
    """Give the file of a version, which says of which it was made."""
    return content.replace("---\n", f"---\n{_VERSION}: {number}\n", 1)


def entry_of(name: str, text: str) -> Entry:
    """Read an entry; EntryError names the line."""
    return read_file(name, text)[0]


def read_file(name: str, text: str) -> tuple[Entry, int | None]:
    """Read an entry, and the version that its file was made of."""
    if not _NAME.fullmatch(name):
        raise EntryError(f"`{name}` can't be an entry's name", 1, "small letters, digits and dashes")
    if len(text) > _LONGEST:
        raise EntryError(f"it has {len(text):,} characters", 1, f"at most {_LONGEST:,} are possible")
    head, body = _parts(text)
    data = _head(head)
    version = data.pop(_VERSION, "")
    if version and not str(version).isdecimal():
        raise EntryError(f"`{version}` is no version's number", _line(text, _VERSION), "leave the line as it was")
    return _entry(name, data, body, text), int(version) if version else None


def split_title(title: str) -> tuple[str, int]:
    """Read `name@number`."""
    found = _TITLE.fullmatch(title)
    if found is None:
        raise UsageError(f"`{title}` names no version of an entry", "write NAME@NUMBER, such as read-the-error@1")
    return found["name"], int(found["number"])


def entry_titles(given: str) -> list[str]:
    """Read a list of entries as people or patches write it: `a@1, b@2`, or in JSON."""
    if given.lstrip().startswith("["):
        try:
            titles = [str(one) for one in json.loads(given)]
        except ValueError:
            raise UsageError(f"`{given}` is no list", "write NAME@NUMBER, NAME@NUMBER") from None
    else:
        titles = [part.strip() for part in given.split(",") if part.strip()]
    names = [split_title(title)[0] for title in titles]
    if twice := next((name for name in names if names.count(name) > 1), ""):
        raise UsageError(f"`{twice}` is named twice", "one version of an entry is told")
    return titles


def _value(value: str | Sequence[str]) -> str:
    """Write a value as YAML: what is JSON is YAML, too."""
    if isinstance(value, str):
        return value if re.fullmatch(r"[a-z][a-z_]*", value) else json.dumps(value, ensure_ascii=False)
    return json.dumps(list(value), ensure_ascii=False)


def _parts(text: str) -> tuple[str, str]:
    lines = text.replace("\r\n", "\n").split("\n")
    if not lines or lines[0].strip() != "---":
        raise EntryError("it has no front matter", 1, _START)
    end = next((number for number, line in enumerate(lines[1:], 1) if line.strip() == "---"), None)
    if end is None:
        raise EntryError("its front matter has no end", 1, _START)
    body = "\n".join(lines[end + 1 :]).strip()
    if not body:
        raise EntryError("it says nothing", end + 1, "write below the second `---` what an agent is told")
    return "\n".join(lines[1:end]), body


def _head(head: str) -> dict[str, Any]:
    import yaml  # takes 20 ms to import

    try:
        data = yaml.load(head, Loader=yaml.BaseLoader)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 2 if error.problem_mark else 1
        raise EntryError(f"not valid YAML: {error.problem}", line, "text with a colon stands in quotes") from None
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise EntryError(f"not valid YAML: {error}", 1, "text with a colon stands in quotes") from None
    if not isinstance(data, dict):
        raise EntryError("its front matter holds no fields", 2, _START)
    return data


def _entry(name: str, data: Mapping[str, Any], body: str, text: str) -> Entry:
    for key in data:
        if key not in FIELDS:
            near = difflib.get_close_matches(str(key), FIELDS, n=1)
            hint = f"did you mean `{near[0]}`?" if near else f"known: {', '.join(FIELDS)}"
            raise EntryError(f"there is no field `{key}`", _line(text, str(key)), hint)
    lists = {key: [data[key]] if data[key] else [] for key in _LISTS if isinstance(data.get(key), str)}
    try:
        entry = record(Entry, {"name": name, "remedy": body, **data, **lists})
    except ShapeError as error:
        where = str(error.path[0]) if error.path else ""
        raise EntryError(f"{f'{where}: ' if where else ''}{error.message}", _line(text, where), error.hint) from None
    for task_type in entry.applies_to:
        if task_type not in TASK_TYPES:
            hint = f"one of: {', '.join(TASK_TYPES)}"
            raise EntryError(f"there is no task type `{task_type}`", _line(text, "applies_to"), hint)
    return dataclasses.replace(entry, title=" ".join(entry.title.split()))


def _line(text: str, field: str) -> int:
    """Find the line of a field."""
    lines = text.split("\n")
    return next((number for number, line in enumerate(lines, 1) if field and line.startswith(f"{field}:")), 1)
