"""Cursor's transcripts, by what others say of them: `~/.cursor/projects/<project>/agent-transcripts/`, as lines of JSON
or as plain text; and what `agent -p --output-format stream-json` prints. Untried on real ones."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, replace
from pathlib import Path
from typing import Any

from loopwright.ingest.cursor_files import SUBAGENTS, bare, is_text, lines_in, session_of, without_copies
from loopwright.ingest.lines import lines_of
from loopwright.ingest.ports import About
from loopwright.ingest.reading import moment_of, parsed, raw_event, said, values_of
from loopwright.ingest.sniffing import start_of
from loopwright.ingest.spending import Spending
from loopwright.records.event import Event, EventKind
from loopwright.text.amounts import moment
from loopwright.text.bounded import TEXT_LIMIT, Line, bounded, data, field, items, mapping
from loopwright.text.cursor_lines import result_of, said_in, tool_of, usage_of
from loopwright.text.cursor_text import arguments_of, blocks_of
from loopwright.text.open_calls import OpenCalls, called, refusal
from loopwright.text.pieces import Pieces

_FOLDER = "agent-transcripts"
_SHELL = frozenset({"shell", "Shell", "run_terminal_cmd", "run_terminal_command", "Bash"})
_PATHS = ("path", "file_path", "target_file", "filePath", "targetFile", "target_notebook")
_OPEN, _CLOSED = "<user_query>", "</user_query>"
_STOPPED = frozenset({"aborted", "cancelled", "canceled", "interrupted"})
_ROLES = ("user", "assistant")
_LONG = 20
_MOST_WAITING = 1000


class Cursor:
    """The format `cursor`."""

    def places(self, home: Path, environment: Mapping[str, str]) -> Sequence[Path]:
        """Name the folders of its transcripts."""
        return sorted((home / ".cursor" / "projects").glob(f"*/{_FOLDER}"))

    def recognises(self, head: bytes) -> bool:
        """Look for its kinds of lines, or for how its texts begin."""
        return is_text(head) or any(_is_spoken(line) or _is_streamed(line) for line in lines_in(head))

    def sessions(self, path: Path) -> Iterable[str]:
        """Give the session that a stream names, else the one that the file is named for."""
        return [session_of(path)]

    def read(self, session_id: str, paths: Sequence[Path]) -> Transcript:
        """Begin to read a session and its subagents."""
        return Transcript(session_id, paths)


class Transcript:
    """One session (a ports.Reading). Where none of its first lines tells the time, the file's own stands for it."""

    def __init__(self, session_id: str, paths: Sequence[Path]) -> None:
        self.about = About()
        self._session_id, self._paths = session_id, without_copies(paths)
        self._at = ""
        self._number = 0
        self._waiting: deque[str] = deque(maxlen=_MOST_WAITING)
        """The calls without a name, which their results do not name either."""
        self._calls = OpenCalls()
        self._spending = Spending()
        self._pieces, self._thoughts = Pieces(), Pieces()
        self._segment = ""

    def events(self) -> Iterator[Event]:
        """Give the events of all files, one after the other."""
        for path in self._paths:
            is_subagent = path.parent.name == SUBAGENTS
            self._waiting.clear()
            head = start_of(path)
            times = (moment_of(line.get("timestamp_ms")) for line in lines_in(head))
            self._at = next(filter(None, times), "") or moment_of(path.stat().st_mtime)
            self._note(path)
            events = self._texts(path) if is_text(head) else self._lines(path)
            for event in events:
                yield _of_subagent(event, path.stem) if is_subagent else event

    def _note(self, path: Path) -> None:
        """Keep the project: its folder is named for it, with other signs than letters replaced."""
        places = [folder.parent.name for folder in path.parents if folder.name == _FOLDER]
        self.about.project = self.about.project or bounded(next(iter(places), ""))

    def _lines(self, path: Path) -> Iterator[Event]:
        for value, line in values_of(path):
            value = parsed(bare(line)) if value is None else value
            events = self._read(value) if isinstance(value, dict) else None
            if events is None:
                yield raw_event(line, self._at)
            else:
                yield from events
        yield from self._rest()
        if thought := self._thoughts.take():
            yield self._said(EventKind.THINKING, thought)

    def _read(self, line: Line) -> Iterable[Event] | None:
        self._at = moment_of(line.get("timestamp_ms")) or self._at
        if _is_spoken(line):
            return self._spoken(line["role"], line["message"].get("content"))
        match line.get("type"), line.get("subtype"):
            case "system", "init":
                return self._began(line)
            case "user", _ if (words := said_in(line)) is not None:
                return self._asked(words)
            case "assistant", _ if (words := said_in(line)) is not None:
                return self._heard(words, "timestamp_ms" in line and "model_call_id" not in line)
            case "thinking", "delta" | "completed":
                return self._thought(line)
            case "tool_call", "started" | "completed" if (tool := tool_of(line)) is not None:
                return [*self._rest(), *self._used(line, *tool)]
            case "result", _ if isinstance(line.get("is_error"), bool):
                return [*self._rest(), *self._result(line)]
            case "turn_ended", _:
                return [self._turned(field(line.get("status"), 100), line)]
        return None

    def _spoken(self, role: str, content: object) -> list[Event]:
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        return [event for block in items(blocks) for event in self._block(role, block)]

    def _block(self, role: str, block: object) -> Iterable[Event]:
        told = block if isinstance(block, dict) else {}
        match told.get("type"):
            case "text" if isinstance(told.get("text"), str):
                return self._asked(told["text"]) if role == "user" else self._say(told["text"])
            case "thinking" | "redacted_thinking":
                return [self._said(EventKind.THINKING, told.get("thinking") or told.get("text"))]
            case "tool_use" if isinstance(told.get("name"), str):
                return [self._opened(self._named(told.get("id")), told["name"], mapping(told.get("input")))]
            case "tool_result":
                text = _content(told.get("content"))
                return [self._closed(self._named(told.get("tool_use_id")), text, told.get("is_error") is True)]
            case "image" | "document":
                return [self._said(EventKind.SYSTEM, f"[{told['type']}]", subtype=told["type"])]
        return [raw_event(json.dumps(data(block), ensure_ascii=False), self._at)]

    def _asked(self, words: str) -> list[Event]:
        """Tell a human's words; what Cursor has put around them is told apart."""
        before, opened, rest = words.partition(_OPEN)
        asked, _, after = rest.partition(_CLOSED) if opened else (words, "", "")
        around = (before + after).strip() if opened else ""
        self.about.goal = self.about.goal or bounded(asked.strip())
        context = [self._said(EventKind.SYSTEM, around, subtype="context")] if around else []
        return [*context, self._said(EventKind.PROMPT, asked.strip())]

    def _say(self, words: str) -> list[Event]:
        return [self._said(EventKind.MESSAGE, words)] if words.strip() else []

    def _opened(self, name: str, tool: str, given: Line) -> Event:
        if not name:
            name = self._counted()
            self._waiting.append(name)
        call = called(bounded(tool, 200), given, _SHELL, _PATHS, moment(self._at))
        return self._calls.opened(name, call, given, self._at)

    def _closed(self, name: str, text: str, failed: bool, exit_code: int | None = None) -> Event:
        if not name and self._waiting:
            name = self._waiting.popleft()
        return self._calls.closed(name, text, is_error=failed, exit_code=exit_code, at=self._at)

    def _named(self, told: object) -> str:
        """Give an id; one that may be a mere number, which others have as well, with the session."""
        name = field(told, 200)
        return f"{self._session_id} {name}"[-200:] if 0 < len(name) < _LONG or ":" in name else name

    def _counted(self) -> str:
        """Make an id for what has none."""
        self._number += 1
        return f"{self._session_id} {self._number}"[-200:]

    def _turned(self, status: str, line: Line) -> Event:
        words = field(line.get("error")) or field(mapping(line.get("error")).get("message")) or status
        if status in _STOPPED:
            return self._said(EventKind.INTERRUPT, words)
        kind = EventKind.ERROR if status == "error" else EventKind.SYSTEM
        return self._said(kind, words, subtype="turn_ended")

    def _began(self, line: Line) -> list[Event]:
        self.about.model = field(line.get("model"), 200) or self.about.model
        self.about.project = field(line.get("cwd")) or self.about.project
        return [self._said(EventKind.SYSTEM, line.get("model"), subtype="init")]

    def _heard(self, words: str, is_piece: bool) -> list[Event]:
        """Take words of a stream; with partial output they come in pieces, and then once or twice as a whole."""
        if is_piece:
            self._pieces.add(words)
            return []
        self._pieces.take()
        if words[:TEXT_LIMIT] == self._segment:
            return []
        self._segment = words[:TEXT_LIMIT]
        return self._say(words)

    def _rest(self) -> list[Event]:
        words = self._pieces.take()
        repeated, self._segment = words[:TEXT_LIMIT] == self._segment, ""
        return [] if repeated else self._say(words)

    def _thought(self, line: Line) -> list[Event]:
        self._thoughts.add(field(line.get("text"), TEXT_LIMIT))
        if line["subtype"] == "delta":
            return []
        words = self._thoughts.take()
        return [self._said(EventKind.THINKING, words)] if words else []

    def _used(self, line: Line, tool: str, given: Line, result: Line) -> list[Event]:
        name = self._named(line.get("call_id"))
        is_known = self._calls.of(name).tool is not None if name else self._waiting
        opened = [] if line["subtype"] == "completed" and is_known else [self._opened(name, tool, given)]
        if line["subtype"] == "started":
            return opened
        state, text, exit_code = result_of(result)
        closed = self._closed(name, text, state != "ok", exit_code)
        kind = EventKind.REJECTION if "rejected" in result else EventKind.DENIAL
        return [*opened, closed, refusal(kind, closed)] if state == "denied" else [*opened, closed]

    def _result(self, line: Line) -> list[Event]:
        name, counts = self._named(line.get("request_id")) or self._counted(), astuple(usage_of(line.get("usage")))
        spent = self._spending.saw(name, self.about.model, counts, self._at)
        return [*spent, replace(self._said(EventKind.RESULT, line.get("result")), is_error=line["is_error"])]

    def _texts(self, path: Path) -> Iterator[Event]:
        for block in blocks_of(line.decode(errors="replace").replace("\r\n", "\n") for line in lines_of(path)):
            match block.kind:
                case "user":
                    yield from self._asked(block.text)
                case "thinking":
                    yield self._said(EventKind.THINKING, block.text)
                case "call":
                    yield self._opened("", block.name, arguments_of(block.text))
                case "result":
                    yield self._closed("", block.text, False)
                case "assistant":
                    yield from self._say(block.text)

    def _said(self, kind: EventKind, words: object, **told: Any) -> Event:
        return said(kind, words, self._at, **told)


def _is_spoken(line: Line) -> bool:
    message = line.get("message")
    return (
        line.get("role") in _ROLES
        and "type" not in line
        and isinstance(message, dict)
        and isinstance(message.get("content"), list | str)
    )


def _is_streamed(line: Line) -> bool:
    if line.get("type") == "tool_call":
        return isinstance(line.get("tool_call"), dict) and "call_id" in line
    # Claude Code's stream has the same first line, with more in it.
    began = line.get("type") == "system" and line.get("subtype") == "init" and "session_id" in line
    return (began and "uuid" not in line and "tools" not in line) or (
        line.get("type") == "turn_ended" and "status" in line
    )


def _of_subagent(event: Event, name: str) -> Event:
    """Put what a subagent did below the agent: what it was told, no human has said."""
    if event.kind is EventKind.PROMPT:
        event = replace(event, kind=EventKind.SYSTEM, data={**event.data, "subtype": "subagent"})
    return replace(event, parent_call_id=name)


def _content(content: object) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(field(mapping(part).get("text"), TEXT_LIMIT) for part in items(content))
