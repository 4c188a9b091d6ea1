"""OpenCode's exports, small files and databases -> sessions, each as what is said of it and its messages in order."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from loopwright.ingest.databases import Snapshot
from loopwright.ingest.reading import document_of, parsed

_EXPORT = re.compile(rb'\s*\{\s*"info"\s*:\s*\{')
_SESSION = re.compile(rb'"(?:sessionID|id)"\s*:\s*"(ses_[^"\\]{1,100})"')
_STREAMED = re.compile(rb'"part"\s*:\s*\{')
_TABLE = re.compile(rb"CREATE TABLE [`\"]?part[`\"]?\s*\(")
_TABLES = {"session": {"id"}, "message": {"id", "session_id", "data"}, "part": {"id", "message_id", "data"}}
_COLUMNS = {"parent_id": "parentID", "directory": "directory", "title": "title", "version": "version"}
_LONGEST = 10_000_000
_SEARCHED = 4_000_000


class Message(NamedTuple):
    """A message and its parts, as they are written down."""

    info: Any
    parts: Iterable[Any]


class Record(NamedTuple):
    """A session as one place has it."""

    info: Mapping[str, Any]
    messages: Iterable[Message]
    strange: Sequence[Any] = ()
    """What is neither a session nor a message nor a part."""


def is_record(head: bytes) -> bool:
    """Tell by the first bytes whether a file is an export, or one of the small files of a session."""
    if head.lstrip()[:1] != b"{" or _SESSION.search(head) is None:
        return False
    if _EXPORT.match(head):
        return True
    # What `opencode run` prints has the same names, line by line.
    is_part = b'"sessionID"' in head and b'"msg_' in head and not _STREAMED.search(head[:1000])
    return is_part or (b'"projectID"' in head and b'"directory"' in head)


def session_in(path: Path, head: bytes) -> str:
    """Name the session that a file belongs to; empty where it says none."""
    found = _SESSION.search(head)
    if found is None:
        with path.open("rb") as file:
            found = _SESSION.search(file.read(_LONGEST))
    return found.group(1).decode(errors="replace") if found else ""


def in_files(paths: Sequence[Path]) -> Record:
    """Put together a session from the files that it lies in."""
    info: dict[str, Any] = {}
    messages: dict[str, Any] = {}
    parts: dict[str, dict[str, Any]] = {}
    strange: list[Any] = []
    for value in map(document_of, paths):
        told = value if isinstance(value, dict) else {}
        if isinstance(told.get("info"), dict) and isinstance(told.get("messages"), list):
            info.update(told["info"])
            _unpack(told["messages"], messages, parts, strange)
        elif isinstance(told.get("messageID"), str):
            parts.setdefault(told["messageID"], {})[str(told.get("id"))] = told
        elif "role" in told and "id" in told:
            messages[str(told["id"])] = told
        elif "projectID" in told:
            info.update(told)
        else:
            strange.append(value)
    return Record(info, list(_ordered(messages, parts)), strange)


def _unpack(given: list[Any], messages: dict[str, Any], parts: dict[str, dict[str, Any]], strange: list[Any]) -> None:
    """Take the messages of an export."""
    for message in given:
        told = message if isinstance(message, dict) else {}
        if not isinstance(told.get("info"), dict) or not isinstance(told.get("parts"), list):
            strange.append(message)
            continue
        name = str(told["info"].get("id") or len(messages))
        messages[name] = told["info"]
        of_message = parts.setdefault(name, {})
        for part in told["parts"]:
            own = part.get("id") if isinstance(part, dict) else None
            of_message[str(own or f"{len(of_message):06}")] = part


def _ordered(messages: Mapping[str, Any], parts: Mapping[str, Mapping[str, Any]]) -> Iterator[Message]:
    """Give messages in the order of their time. Their ids, and those of parts, grow with it."""
    known = {**{name: {"id": name} for name in parts}, **messages}
    for name in sorted(known, key=lambda name: (_created(known[name]), name)):
        of_message = parts.get(name, {})
        yield Message(known[name], [of_message[part] for part in sorted(of_message)])


def _created(info: Mapping[str, Any]) -> float:
    time = info.get("time")
    created = time.get("created") if isinstance(time, dict) else None
    return created if isinstance(created, int | float) else 0.0


def may_be_ours(path: Path) -> bool:
    """Tell, before a database is copied, whether it or its log speaks of the tables."""
    for file in (path, path.with_name(f"{path.name}-wal")):
        if file.is_file():
            with file.open("rb") as opened:
                if _TABLE.search(opened.read(_SEARCHED)):
                    return True
    return False


def sessions_in_database(snapshot: Snapshot) -> list[str]:
    """Give the ids of the sessions in a database; none where it is another program's."""
    tables = snapshot.tables
    if any(not columns <= set(tables.get(name, ())) for name, columns in _TABLES.items()):
        return []
    return [row[0] for row in snapshot.rows("SELECT id FROM session ORDER BY id") if isinstance(row[0], str)]


def in_database(snapshot: Snapshot, session_id: str) -> Record:
    """Read one session of a database, message by message."""
    columns = [name for name in _COLUMNS if name in snapshot.tables.get("session", ())]
    query = f"SELECT id{''.join(f', {name}' for name in columns)} FROM session WHERE id = ?"
    names = ("id", *(_COLUMNS[name] for name in columns))
    info = next((dict(zip(names, row, strict=True)) for row in snapshot.rows(query, session_id)), {})
    return Record(info, _messages(snapshot, session_id))


def _messages(snapshot: Snapshot, session_id: str) -> Iterator[Message]:
    query = f"SELECT id, substr(data, 1, {_LONGEST}) FROM message WHERE session_id = ? ORDER BY id"
    for name, raw in snapshot.rows(query, session_id):
        yield Message(_with_id(raw, name), _parts(snapshot, name))


def _parts(snapshot: Snapshot, message_id: str) -> Iterator[Any]:
    query = f"SELECT id, substr(data, 1, {_LONGEST}) FROM part WHERE message_id = ? ORDER BY id"
    for name, raw in snapshot.rows(query, message_id):
        yield _with_id(raw, name)


def _with_id(raw: object, name: object) -> Any:
    """Read a row's JSON; where it is none, give it as it is."""
    value = parsed(raw if isinstance(raw, bytes) else str(raw).encode(errors="replace"))
    return {**value, "id": name} if isinstance(value, dict) else raw
