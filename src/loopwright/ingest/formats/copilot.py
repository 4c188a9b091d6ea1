"""Copilot CLI's sessions: `~/.copilot/session-state/<session>/events.jsonl`, and documents of its first versions."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from pathlib import Path
from typing import Any

import orjson

from loopwright.ingest.copilot_document import lines_in
from loopwright.ingest.copilot_session import Session
from loopwright.ingest.ports import About
from loopwright.ingest.reading import document_of, raw_event, values_of
from loopwright.ingest.sniffing import objects_in, start_of
from loopwright.records.event import Event
from loopwright.text.bounded import data, mapping
from loopwright.text.tool_calls import identity

_EVENTS = "events"
_FIRST = ("session.", "user.", "assistant.", "tool.", "hook.", "system.", "subagent.", "permission.")


class Copilot:
    """The format `copilot`."""

    def places(self, home: Path, environment: Mapping[str, str]) -> Sequence[Path]:
        """Name the folders of its sessions."""
        root = Path(environment.get("COPILOT_HOME", "") or home / ".copilot")
        return [root / "session-state", root / "history-session-state"]

    def recognises(self, head: bytes) -> bool:
        """Look for lines of its kinds that say which line was before them."""
        return any(_is_ours(line) for line in objects_in(head)) or _is_document(head)

    def sessions(self, path: Path) -> Iterable[str]:
        """Give the session of a file: the one that its first lines say, else what its folder or itself is called."""
        for number, (value, _) in enumerate(_values(path)):
            found = identity(mapping(mapping(value).get("data")).get("sessionId"))
            if found:
                return [found]
            if number > 100:
                break
        return [path.parent.name if path.stem == _EVENTS else path.stem]

    def read(self, session_id: str, paths: Sequence[Path]) -> Record:
        """Begin to read a session."""
        return Record(paths)


class Record:
    """One session (a ports.Reading)."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self.about = About()
        self._session = Session(self.about)
        self._paths = paths

    def events(self) -> Iterator[Event]:
        """Give the events of all files in the order of their lines' times."""
        parts = [_lines(path) for path in self._paths]
        for _, value, line in parts[0] if len(parts) == 1 else heapq.merge(*parts, key=itemgetter(0)):
            events = self._session.read(value) if isinstance(value, dict) else None
            if events is None:
                yield raw_event(line, self._session.at)
            else:
                yield from events
        yield from self._session.rest()


def _lines(path: Path) -> Iterator[tuple[str, Any, bytes]]:
    at = ""
    for value, line in _values(path):
        told = value.get("timestamp") if isinstance(value, dict) else None
        at = told if isinstance(told, str) else at
        yield at, value, line


def _values(path: Path) -> Iterator[tuple[Any, bytes]]:
    if not _is_document(start_of(path)):
        yield from values_of(path)
        return
    for value in lines_in(document_of(path)):
        yield value, orjson.dumps(data(value))


def _is_ours(line: Mapping[str, Any]) -> bool:
    kind = line.get("type")
    is_kind = isinstance(kind, str) and (kind.startswith(_FIRST) or kind == "abort")
    return is_kind and "parentId" in line and isinstance(line.get("data"), dict)


def _is_document(head: bytes) -> bool:
    """Tell whether it is a session of the first versions: one object with all in it."""
    start = head.lstrip()[:1000]
    is_object = start[:1] == b"{" and b'"sessionId"' in start
    return is_object and (b'"chatMessages"' in head or b'"timeline"' in start)
