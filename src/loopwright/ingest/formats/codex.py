"""Codex's rollouts: `~/.codex/sessions/YYYY/MM/DD/rollout-*.jsonl`, those of its subagents, and archived ones."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from pathlib import Path
from typing import Any

import orjson

from loopwright.ingest.codex_calls import Seen
from loopwright.ingest.codex_meta import parent_of
from loopwright.ingest.codex_thread import Thread
from loopwright.ingest.lines import lines_of
from loopwright.ingest.ports import About
from loopwright.ingest.reading import document_of, parsed, raw_event, values_of
from loopwright.ingest.sniffing import objects_in, start_of
from loopwright.records.event import Event
from loopwright.text.bounded import data, mapping
from loopwright.text.tool_calls import identity

Line = Mapping[str, Any]
Dated = tuple[str, Thread, Any, bytes]
"""When a line was written, by which thread, what it says, and as it was."""

_KINDS = frozenset({"session_meta", "response_item", "event_msg", "turn_context", "compacted"})
_LONG_META = b'"type":"session_meta"'
_SPAWNED = (b"agent_id", b"receiver_thread_ids", b"agent_thread_id", b"new_thread_id")
"""Words of the lines that tell which call has started which subagent."""


class Codex:
    """The format `codex`."""

    def places(self, home: Path, environment: Mapping[str, str]) -> Sequence[Path]:
        """Name the folders of its rollouts."""
        root = Path(environment.get("CODEX_HOME", "") or home / ".codex")
        return [root / "sessions", root / "archived_sessions"]

    def recognises(self, head: bytes) -> bool:
        """Look for lines of its kinds, or for what a rollout began with when lines had no kinds."""
        if any(_is_ours(line) for line in objects_in(head)):
            return True
        return _LONG_META in head[:300] or _is_document(head)

    def sessions(self, path: Path) -> Iterable[str]:
        """Give the session of a file; a subagent's is the one of who started it."""
        meta = _meta(path)
        name = identity(meta.get("session_id")) or parent_of(meta) or identity(meta.get("id"))
        return [name or path.stem]

    def read(self, session_id: str, paths: Sequence[Path]) -> Rollout:
        """Begin to read a session and its subagents."""
        return Rollout(paths)


class Rollout:
    """One session (a ports.Reading)."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self.about = About()
        self._paths = paths

    def events(self) -> Iterator[Event]:
        """Give the events of all threads in the order of their lines' times."""
        names = {path: identity(_meta(path).get("id")) or str(path) for path in self._paths}
        spawned, seen = _spawned(self._paths) if len(names) > 1 else {}, Seen()
        threads = {name: Thread(self.about, seen, spawned.get(name)) for name in names.values()}
        copied = {threads[name]: set[int]() for name, often in Counter(names.values()).items() if often > 1}
        parts = [_lines(path, threads[name]) for path, name in names.items()]
        # Merged line by line: what a thread has copied from another comes after the lines that it copied.
        return _told(parts[0] if len(parts) == 1 else heapq.merge(*parts, key=itemgetter(0)), copied)


def _told(lines: Iterable[Dated], copied: Mapping[Thread, set[int]]) -> Iterator[Event]:
    """Give the events of lines; those of a thread that is there in several files count once."""
    for _, thread, value, line in lines:
        if copied and (seen := copied.get(thread)) is not None:
            if hash(line) in seen:
                continue
            seen.add(hash(line))
        events = thread.read(value) if isinstance(value, dict) else None
        if events is None:
            yield raw_event(line, thread.at)
        else:
            yield from events


def _lines(path: Path, thread: Thread) -> Iterator[Dated]:
    at = ""
    for value, line in _values(path):
        told = value.get("timestamp") if isinstance(value, dict) else None
        at = told if isinstance(told, str) else at
        yield at, thread, value, line


def _values(path: Path) -> Iterator[tuple[Any, bytes]]:
    if not _is_document(start_of(path)):
        yield from values_of(path)
        return
    whole = mapping(document_of(path))
    items = whole.get("items")
    for value in [whole.get("session"), *(items if isinstance(items, list) else ())]:
        yield value, orjson.dumps(data(value))


def _is_document(head: bytes) -> bool:
    """Tell whether it is a rollout of the first Codex, which wrote one object with all in it."""
    return head[:1] == b"{" and b'"session"' in head[:100] and b'"items"' in head


def _is_ours(line: Line) -> bool:
    kind = line.get("type")
    if kind is None:
        return "id" in line and "timestamp" in line and "instructions" in line
    return isinstance(kind, str) and kind in _KINDS and isinstance(line.get("payload"), dict)


def _meta(path: Path) -> Line:
    """Find what a file says of its thread: its first line, as a rule."""
    for number, (value, _) in enumerate(_values(path)):
        told = mapping(value)
        meta = told if "type" not in told and "id" in told else mapping(told.get("payload"))
        if meta is told or told.get("type") == "session_meta":
            return meta
        if number > 100:
            break
    return {}


def _spawned(paths: Iterable[Path]) -> dict[str, str]:
    """Find the calls that have started subagents, by the threads of those."""
    found: dict[str, str] = {}
    for path in paths:
        for line in lines_of(path):
            if any(word in line for word in _SPAWNED):
                told = mapping(mapping(parsed(line)).get("payload"))
                told = mapping(told.get("item")) or told
                name = identity(told.get("call_id")) or identity(told.get("event_id")) or identity(told.get("id"))
                for thread in _threads_in(told):
                    found.setdefault(thread, name or "")
    return {thread: name for thread, name in found.items() if name}


def _threads_in(told: Line) -> Iterable[str]:
    """Give the threads that a call has started."""
    output = told.get("output")
    result = mapping(parsed(output.encode(errors="replace"))) if isinstance(output, str) else {}
    several = told.get("receiver_thread_ids") if told.get("tool") in ("spawn_agent", "spawnAgent") else ()
    names = [result.get("agent_id"), told.get("agent_thread_id"), told.get("new_thread_id")]
    names += several if isinstance(several, list) else []
    return [name for name in map(identity, names) if name]
