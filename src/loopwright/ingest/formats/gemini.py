"""Gemini CLI's chats: `~/.gemini/tmp/<project>/chats/session-*.json`, one document, and newer `.jsonl`, appended to."""

from __future__ import annotations

import heapq
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson

from loopwright.ingest.lines import lines_of
from loopwright.ingest.ports import About
from loopwright.ingest.reading import document_of, moment_of, raw_event, said, values_of
from loopwright.ingest.seen import Seen
from loopwright.ingest.sniffing import objects_in, start_of
from loopwright.ingest.spending import Spending
from loopwright.records.event import Event, EventKind
from loopwright.text.amounts import moment
from loopwright.text.bounded import TEXT_LIMIT, bounded, data, field, items, mapping
from loopwright.text.gemini_parts import answer_of, parts_of, results_of, text_of, tokens_of
from loopwright.text.open_calls import OpenCalls, called, refusal

_ID = re.compile(rb'"sessionId"\s*:\s*"([^"\\]{1,200})"')
_EXIT = re.compile(r"(?:^Exit Code|Command exited with code): (\d{1,9})$", re.MULTILINE)
_SHELL = frozenset({"run_shell_command"})
_PATHS = ("file_path", "absolute_path", "dir_path", "path")
_NOTICES = {"info": EventKind.SYSTEM, "warning": EventKind.SYSTEM, "error": EventKind.ERROR}
_ENDED = ("success", "error", "cancelled")
_NOT_SAID = ("<session_context>", "<hook_context>", "<state_snapshot>")
"""How the user's messages begin that the user did not write."""
_DENIED = ("User denied execution", "User did not allow")
_BY_POLICY = "denied by policy"
_CANCELLED = "Request cancelled."
_HEADS = 6
_SHORT = 19  # an id of so few letters may be a mere number, which others have as well


class Gemini:
    """The format `gemini`."""

    def places(self, home: Path, environment: Mapping[str, str]) -> Sequence[Path]:
        """Name the folder of its projects' chats."""
        named = environment.get("GEMINI_CLI_HOME", "")
        return [Path(named or home) / ".gemini" / "tmp"]

    def recognises(self, head: bytes) -> bool:
        """Look for the names that stand at the beginning of a chat, as a line or as a document."""
        start = head[:2000]
        return start.lstrip()[:1] == b"{" and b'"projectHash"' in start and _ID.search(start) is not None

    def sessions(self, path: Path) -> Iterable[str]:
        """Give the session of a file; a subagent's chat lies in a folder that is named for the session."""
        head = start_of(path)
        if _is_subagent(head) and path.parent.parent.name == "chats":
            return [path.parent.name]
        found = _ID.search(head)
        return [found.group(1).decode(errors="replace") if found else path.stem]

    def read(self, session_id: str, paths: Sequence[Path]) -> Chat:
        """Begin to read a session and its subagents."""
        return Chat(paths)


class Chat:
    """One session (a ports.Reading). A message is written again whenever something was added to it."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self.about = About()
        self._subagents = [path for path in paths if _is_subagent(start_of(path))] if len(paths) > 1 else []
        self._mains = [path for path in paths if path not in self._subagents]
        self._at = ""
        self._told = Seen()
        """Messages and calls, with what of them was told."""
        self._calls = OpenCalls()
        self._spending = Spending()
        self._interrupted = False

    def events(self) -> Iterator[Event]:
        """Give the events of all files in the order of their times."""
        self._find_project()
        parents = self._parents() if self._subagents else {}
        parts = [self._events_in(path, None) for path in self._mains]
        parts += [self._events_in(path, parents.get(path.stem, path.stem)) for path in self._subagents]
        return parts[0] if len(parts) == 1 else heapq.merge(*parts, key=lambda event: event.at)

    def _parents(self) -> Mapping[str, str]:
        """Find the calls that started subagents; they are written down when they have ended."""
        lines = (line for path in self._mains for line in lines_of(path) if b'"agentId"' in line)
        found = (call for line in lines for value in _parsed(line) for call in items(mapping(value).get("toolCalls")))
        return {field(call.get("agentId"), 200): field(call.get("id"), 200) for call in map(mapping, found)}

    def _find_project(self) -> None:
        for path in self._mains[:1]:
            beside = path.parent.parent / ".project_root"
            if beside.is_file():
                self.about.project = bounded(beside.read_bytes()[:4096].decode(errors="replace").strip())

    def _events_in(self, path: Path, parent: str | None) -> Iterator[Event]:
        at = ""
        for value, line in _records_of(path):
            events = self._read(value, parent) if isinstance(value, dict) else None
            if events is None:
                yield raw_event(line, at or self._at)
            for event in events or ():
                at = max(at, event.at)
                yield replace(event, parent_call_id=parent) if parent else event

    def _read(self, line: Mapping[str, Any], parent: str | None) -> Iterable[Event] | None:
        if isinstance(line.get("$rewindTo"), str):
            return [self._said(EventKind.SYSTEM, line["$rewindTo"], subtype="rewind")]
        if isinstance(line.get("id"), str):
            return self._message(line, parent, is_history=False)
        told = line.get("$set", line)
        if not isinstance(told, dict) or not (told is not line or "sessionId" in line):
            return None
        if not parent:
            self._note(told)
        messages = items(told.get("messages"))
        return [event for message in messages for event in self._history(message, parent, told is not line)]

    def _note(self, told: Mapping[str, Any]) -> None:
        """Keep what is said of the session as a whole."""
        about, folders = self.about, items(told.get("directories"))
        self._at = self._at or moment_of(told.get("startTime"))
        about.title = field(told.get("summary"), 500) or about.title
        about.project = about.project or (field(folders[0]) if folders else "")

    def _history(self, message: object, parent: str | None, is_history: bool) -> Iterable[Event]:
        """Read a message of many: in a document it is one of its own, in a later line the history as it is sent."""
        events = self._message(message, parent, is_history) if isinstance(message, dict) else None
        return [raw_event(_written(message), self._at)] if events is None else events

    def _message(self, told: Mapping[str, Any], parent: str | None, is_history: bool) -> Iterable[Event] | None:
        kind, name = told.get("type"), field(told.get("id"), 200)
        if not isinstance(kind, str) or not name or (kind not in _NOTICES and kind not in ("user", "gemini")):
            return None
        if not is_history:
            self._at = moment_of(told.get("timestamp")) or self._at
            if (
                len(self.about.heads) < _HEADS
                and parent is None
                and len(name) > _SHORT
                and name not in self.about.heads
            ):
                self.about.heads.append(name)
        if kind in _NOTICES:
            return self._notice(kind, name, told)
        events = self._thoughts(name, told) if kind == "gemini" else []
        speaker = "history" if is_history else "subagent" if parent and kind == "user" else kind
        events += self._content(name, speaker, told)
        if kind == "gemini":
            events += self._used(name, told, parent)
            events += self._tools(name, told)
        return events

    def _notice(self, kind: str, name: str, told: Mapping[str, Any]) -> Iterable[Event]:
        words = text_of(parts_of(told.get("content")))
        if not self._told.is_new((name, "words")):
            return ()
        if words.strip() == _CANCELLED:
            return self._interrupt(words)
        return [self._said(_NOTICES[kind], words, subtype=kind)]

    def _interrupt(self, words: str) -> list[Event]:
        """Tell that a human stopped it: once, however often that is written down."""
        if self._interrupted:
            return []
        self._interrupted = True
        return [self._said(EventKind.INTERRUPT, words)]

    def _thoughts(self, name: str, told: Mapping[str, Any]) -> list[Event]:
        thoughts = [mapping(thought) for thought in items(told.get("thoughts"))]
        if not thoughts or not self._told.is_new((name, "thoughts")):
            return []
        events = []
        for thought in thoughts:
            words = "\n".join(filter(None, (field(thought.get(part)) for part in ("subject", "description"))))
            events.append(self._said(EventKind.THINKING, words, moment_of(thought.get("timestamp"))))
        return events

    def _content(self, name: str, speaker: str, told: Mapping[str, Any]) -> list[Event]:
        parts = parts_of(told.get("content"))
        events = []
        for part in parts:
            if isinstance(part.get("functionCall"), dict):
                events += self._called(part["functionCall"])
            elif isinstance(part.get("functionResponse"), dict):
                events += self._returned(part["functionResponse"])
            elif "text" not in part and self._told.is_new((name, kind := next(iter(part), ""))):
                is_file = kind in ("inlineData", "fileData")
                note = self._said(EventKind.SYSTEM, f"[{kind}]", subtype=kind)
                events.append(note if is_file else raw_event(_written(part), self._at))
        words = text_of(parts)
        if words and self._told.is_new((name, "words")):
            events += self._words(words, speaker, text_of(parts_of(told.get("displayContent"))))
        return events

    def _words(self, words: str, speaker: str, typed: str) -> list[Event]:
        if speaker == "gemini":
            return [self._said(EventKind.MESSAGE, words)]
        command = words[:1] == "/" and "/" not in words.split(None, 1)[0][1:]
        if speaker != "user" or command or words.startswith(_NOT_SAID):
            return [self._said(EventKind.SYSTEM, words, subtype="command" if command else speaker)]
        self._interrupted = False
        self.about.goal = self.about.goal or bounded(typed or words)
        more = [self._said(EventKind.SYSTEM, words, subtype="context")] if typed and typed != words else []
        return [self._said(EventKind.PROMPT, typed or words), *more]

    def _used(self, name: str, told: Mapping[str, Any], parent: str | None) -> Iterable[Event]:
        model, tokens = field(told.get("model"), 200), told.get("tokens")
        if model and parent is None:
            self.about.model = model
        return self._spending.saw(name, model, tokens_of(tokens), self._at) if isinstance(tokens, dict) else ()

    def _tools(self, name: str, told: Mapping[str, Any]) -> list[Event]:
        calls = [mapping(call) for call in items(told.get("toolCalls"))]
        events = [event for call in calls for event in self._called(call)]
        for call in calls:
            if call.get("status") in _ENDED:
                events += self._ended(call)
        return events

    def _called(self, call: Mapping[str, Any]) -> list[Event]:
        name = field(call.get("id"), 200)
        if name and not self._told.is_new((name, "call")):
            return []
        if not isinstance(call.get("name"), str):
            return [raw_event(_written(call), self._at)]
        given = mapping(call.get("args"))
        read = called(field(call["name"], 200), given, _SHELL, _PATHS, moment(self._at))
        return [self._calls.opened(name, read, given, self._at)]

    def _ended(self, call: Mapping[str, Any]) -> list[Event]:
        text = results_of(call.get("result")) or field(call.get("resultDisplay"), TEXT_LIMIT)
        at = moment_of(call.get("timestamp")) or self._at
        events = self._closed(field(call.get("id"), 200), text, call.get("status") != "success", at)
        return events + self._refused(events[0], call.get("status") == "cancelled") if events else []

    def _returned(self, response: Mapping[str, Any]) -> list[Event]:
        failed = "error" in mapping(response.get("response"))
        return self._closed(field(response.get("id"), 200), answer_of(response), failed, self._at)

    def _closed(self, name: str, text: str, failed: bool, at: str) -> list[Event]:
        if name and not self._told.is_new((name, "result")):
            return []
        # A command that fails is a success to it; only the code in the output tells.
        code = _EXIT.search(text[-500:]) if self._calls.of(name).command else None
        exit_code = int(code.group(1)) if code else None
        return [self._calls.closed(name, text, is_error=failed, exit_code=exit_code, ended=moment(at), at=at)]

    def _refused(self, result: Event, cancelled: bool) -> list[Event]:
        """Say whether a policy or a human did not want a call, or somebody stopped the agent in the middle of it."""
        denied = result.is_error and _BY_POLICY in result.text[:1000]
        rejected = cancelled and any(words in result.text[:1000] for words in _DENIED)
        if denied or rejected:
            self._interrupted = self._interrupted or rejected  # the calls beside it are cancelled with it
            kind = EventKind.REJECTION if rejected else EventKind.DENIAL
            return [refusal(kind, result)]
        return self._interrupt(result.text) if cancelled else []

    def _said(self, kind: EventKind, words: str, at: str = "", **told: Any) -> Event:
        return said(kind, words, at or self._at, **told)


def _records_of(path: Path) -> Iterator[tuple[Any, bytes | str]]:
    """Give a document as the one record that it is, else line by line."""
    first = start_of(path).split(b"\n", 1)[0]
    if next(iter(objects_in(first)), {"messages": ()}).get("messages") is None:
        yield from values_of(path)
    elif (document := document_of(path)) is not None:
        yield document, "" if isinstance(document, dict) else _written(document)
    else:
        yield from values_of(path)


def _is_subagent(head: bytes) -> bool:
    return next(iter(objects_in(head.split(b"\n", 1)[0])), {}).get("kind") == "subagent"


def _parsed(line: bytes) -> Iterator[Any]:
    try:
        yield orjson.loads(line)
    except ValueError:
        return


def _written(value: object) -> str:
    return json.dumps(data(value), ensure_ascii=False)  # another writer refuses large numbers
