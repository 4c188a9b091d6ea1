"""OpenCode's sessions: what `opencode export` gives, its folder of small files, and the database of newer versions."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from loopwright.ingest.databases import LOG_MAGIC, MAGIC, Snapshot, database_of, state_of
from loopwright.ingest.opencode_records import (
    Message,
    Record,
    in_database,
    in_files,
    is_record,
    may_be_ours,
    session_in,
    sessions_in_database,
)
from loopwright.ingest.ports import About
from loopwright.ingest.reading import moment_of, raw_event
from loopwright.ingest.sniffing import start_of
from loopwright.ingest.spending import Counts, used
from loopwright.records.event import Event, EventKind
from loopwright.text.amounts import amount, count, moment
from loopwright.text.bounded import TEXT_LIMIT, bounded, cut, data, field, mapping
from loopwright.text.open_calls import OpenCalls, called

_SHELL = frozenset({"bash", "shell"})
_PATHS = ("filePath", "path")
_SILENT = frozenset({"step-start", "snapshot", "patch"})
"""Parts in which nothing happened that another part does not tell."""
_NOTES = {"file": "filename", "agent": "name", "subtask": "prompt", "compaction": "type"}
_REJECTED = ("rejected permission",)
_DENIED = ("specified a rule which prevents you",)
_ABORTED = "MessageAbortedError"
_HEADS = 6


class Opencode:
    """The format `opencode`."""

    def __init__(self) -> None:
        self._snapshot: tuple[Path, Snapshot] | None = None

    def places(self, home: Path, environment: Mapping[str, str]) -> Sequence[Path]:
        """Name the folder of its data."""
        named = environment.get("XDG_DATA_HOME", "")
        folder = Path(named or home / ".local" / "share") / "opencode"
        return [folder / "storage", *sorted(folder.glob("opencode*.db")), *sorted(folder.glob("opencode*.db-wal"))]

    def recognises(self, head: bytes) -> bool:
        """Look for the names in an export or a small file; of a database, only its tables can tell."""
        return head.startswith((MAGIC, *LOG_MAGIC)) or is_record(head)

    def sessions(self, path: Path) -> Iterable[str]:
        """Give the one session of a file, or all those of a database."""
        head = start_of(path)
        if not head.startswith((MAGIC, *LOG_MAGIC)):
            return filter(None, [session_in(path, head)])
        database = database_of(path)
        if not database.is_file() or not may_be_ours(database):
            return ()
        if self._snapshot and self._snapshot[1].state != state_of(database):
            self._snapshot = None
        return sessions_in_database(self._snapshot_of(database))

    def read(self, session_id: str, paths: Sequence[Path]) -> Conversation:
        """Begin to read a session from all places in which it is."""
        heads = {path: start_of(path) for path in paths}
        files = [path for path, head in heads.items() if not head.startswith((MAGIC, *LOG_MAGIC))]
        databases = dict.fromkeys(database_of(path) for path in paths if path not in files)
        records = [in_database(self._snapshot_of(path), session_id) for path in databases]
        return Conversation([*records, *([in_files(files)] if files else [])])

    def _snapshot_of(self, path: Path) -> Snapshot:
        """Copy a database once for all its sessions, also where it is written to meanwhile."""
        if self._snapshot is None or self._snapshot[0] != path:
            self._snapshot = None  # the room that the last one takes is given back first
            self._snapshot = path, Snapshot(path)
        return self._snapshot[1]


class Conversation:
    """One session (a ports.Reading)."""

    def __init__(self, records: Sequence[Record]) -> None:
        self.about = About()
        self._records = records
        self._at = ""
        self._told: set[str] = set()
        self._calls = OpenCalls()
        self._cost = 0.0
        self._steps: list[Counts] = []
        self._is_child = False

    def events(self) -> Iterator[Event]:
        """Give the events of all messages in order."""
        for record in self._records:
            self._note(record.info)
            for message in record.messages:
                yield from self._message(message)
            yield from (raw_event(_written(value), self._at) for value in record.strange)

    def _note(self, info: Mapping[str, Any]) -> None:
        """Keep what is said of the session as a whole."""
        about, parent = self.about, field(info.get("parentID"), 200)
        about.title = field(info.get("title"), 500) or about.title
        about.project = field(info.get("directory")) or about.project
        about.agent_version = field(info.get("version"), 100) or about.agent_version
        if parent:
            about.attributes["parent_session"] = parent
            self._is_child = True

    def _message(self, message: Message) -> Iterator[Event]:
        info = message.info
        if not isinstance(info, dict):
            yield raw_event(_written(info), self._at)
            info = {}
        time = mapping(info.get("time"))
        began = self._at = moment_of(time.get("created")) or self._at
        self._steps = []
        for part in message.parts:
            yield from self._part(part, info.get("role") == "user", began)
        if self._is_new(info.get("id")):
            self._know(info)
            self._at = moment_of(time.get("completed")) or self._at
            yield from self._ended(info)

    def _is_new(self, name: object) -> bool:
        """Say whether something was not told before, and take it as told; it may lie in two places."""
        if not isinstance(name, str):
            return True
        known = name in self._told
        self._told.add(name)
        return not known

    def _know(self, info: Mapping[str, Any]) -> None:
        about, name = self.about, field(info.get("id"), 200)
        if name and len(about.heads) < _HEADS:
            about.heads.append(name)
        about.model = field(info.get("modelID"), 200) or about.model
        if provider := field(info.get("providerID"), 200):
            about.attributes["provider"] = provider

    def _ended(self, info: Mapping[str, Any]) -> Iterator[Event]:
        """Tell what a message has used, and how it ended."""
        counts = _most(_counts(info.get("tokens")), self._steps)
        if any(counts):
            event = used(field(info.get("modelID"), 200), counts, self._at, field(info.get("id"), 200))
            self._cost = round(self._cost + amount(info.get("cost")), 9)
            self.about.attributes["cost_usd"] = self._cost
            yield replace(event, data={**event.data, "cost_usd": amount(info.get("cost"))})
        error = info.get("error")
        if isinstance(error, dict):
            name, told = field(error.get("name"), 200), mapping(error.get("data"))
            kind = EventKind.INTERRUPT if name == _ABORTED else EventKind.ERROR
            yield self._said(kind, told.get("message") or name, self._at, name=name)

    def _part(self, part: object, by_user: bool, began: str) -> Iterable[Event]:
        told = part if isinstance(part, dict) else {}
        kind = told.get("type")
        if not self._is_new(told.get("id")):
            return ()
        at = moment_of(mapping(told.get("time")).get("start")) or began
        if kind == "text" and isinstance(told.get("text"), str):
            return self._words(told, by_user, at)
        if kind == "reasoning" and isinstance(told.get("text"), str):
            return [self._said(EventKind.THINKING, told["text"], at)]
        if kind == "tool" and isinstance(told.get("tool"), str) and isinstance(told.get("state"), dict):
            return self._tool(told, told["state"], began)
        if kind == "step-finish":
            self._steps.append(_counts(told.get("tokens")))
            return ()
        if kind == "retry":
            error = mapping(told.get("error"))
            words = mapping(error.get("data")).get("message") or error.get("name")
            return [self._said(EventKind.RETRY, words, moment_of(mapping(told.get("time")).get("created")) or began)]
        if isinstance(kind, str) and kind in _NOTES:
            return [self._said(EventKind.SYSTEM, told.get(_NOTES[kind]), at, subtype=kind)]
        return () if isinstance(kind, str) and kind in _SILENT else [raw_event(_written(part), began)]

    def _words(self, part: Mapping[str, Any], by_user: bool, at: str) -> Iterable[Event]:
        words = part["text"]
        if not by_user:
            return [self._said(EventKind.MESSAGE, words, at)] if words else ()
        if part.get("synthetic") or part.get("ignored") or self._is_child:
            return [self._said(EventKind.SYSTEM, words, at, subtype="subagent" if self._is_child else "synthetic")]
        self.about.goal = self.about.goal or bounded(words)
        return [self._said(EventKind.PROMPT, words, at)]

    def _tool(self, part: Mapping[str, Any], state: Mapping[str, Any], began: str) -> list[Event]:
        given, time, metadata = (mapping(state.get(name)) for name in ("input", "time", "metadata"))
        call_id, at = field(part.get("callID") or part.get("id"), 200), moment_of(time.get("start")) or began
        call = called(field(part["tool"], 200), given, _SHELL, _PATHS, moment(time.get("start")))
        opened = self._calls.opened(call_id, call, given, at)
        if child := field(metadata.get("sessionId") or metadata.get("sessionID"), 200):
            opened = replace(opened, data={**opened.data, "session": child})
        if state.get("status") not in ("completed", "error"):
            return [opened]
        failed = state["status"] == "error"
        text = field(state.get("error" if failed else "output"), TEXT_LIMIT + 1)
        code = metadata.get("exit") if call.command else None
        exit_code = code if isinstance(code, int) and not isinstance(code, bool) and abs(code) < 10**9 else None
        # A command that fails is "completed" to it.
        closed = self._calls.closed(
            *(call_id, text),
            is_error=failed or bool(exit_code),
            exit_code=exit_code,
            ended=moment(time.get("end")),
            at=moment_of(time.get("end")) or at,
        )
        return [opened, closed, *_refused(closed)]

    def _said(self, kind: EventKind, words: object, at: str, **told: Any) -> Event:
        text = words if isinstance(words, str) else ""
        return Event(kind, bounded(text, TEXT_LIMIT), data=told | cut(text, TEXT_LIMIT), at=at)


def _refused(result: Event) -> list[Event]:
    """Say whether a human, or a rule, did not allow a call."""
    words = result.text[:500] if result.is_error else ""
    for kind, said in ((EventKind.REJECTION, _REJECTED), (EventKind.DENIAL, _DENIED)):
        if any(part in words for part in said):
            return [replace(result, kind=kind, is_error=False, error_kind=None, fingerprint=None)]
    return []


def _counts(tokens: object) -> Counts:
    told = mapping(tokens)
    cache, said = mapping(told.get("cache")), count(told.get("output")) + count(told.get("reasoning"))
    return count(told.get("input")), said, count(cache.get("read")), count(cache.get("write"))


def _most(told: Counts, steps: Sequence[Counts]) -> Counts:
    """Give what a message used: older ones were made in several steps, and say what the last of them used."""
    one, two, three, four = (max(value, sum(step[place] for step in steps)) for place, value in enumerate(told))
    return one, two, three, four


def _written(value: object) -> bytes | str:
    return value if isinstance(value, bytes | str) else json.dumps(data(value), ensure_ascii=False)
