"""Claude Code's transcripts: `~/.claude/projects/<folder>/<session>.jsonl`, and its subagents' beside them."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from loopwright.ingest.ports import About
from loopwright.ingest.reading import moment_of, raw_event, values_of, written
from loopwright.ingest.sniffing import objects_in
from loopwright.ingest.spending import Counts, Spending
from loopwright.records.event import Event, EventKind
from loopwright.text.amounts import count
from loopwright.text.bounded import TEXT_LIMIT, bounded, cut, field, mapping
from loopwright.text.tool_calls import ToolCalls, identity

Line = dict[str, Any]

_TALK = frozenset({"user", "assistant"})
_TITLES = {"summary": "summary", "ai-title": "aiTitle", "custom-title": "customTitle", "agent-name": "agentName"}
_SILENT = frozenset(
    {
        *("file-history-snapshot", "file-history-delta", "mode", "permission-mode", "last-prompt", "queue-operation"),
        *("pr-link", "attachment", "api-request", "api-request-shape", "api-request-blob", "atis-latch", "tools-used"),
        *(
            "cost-state",
            "worktree-state",
            "bridge-session",
            "saved_hook_context",
            "content-replacement",
            "marble-origami-commit",
        ),
        *("speculation-accept", "tag", "agent-color", "agent-setting"),
    }
)
"""Lines that Claude Code keeps for itself: nothing happened in them that another line does not tell."""
_KNOWN = _TALK | _TITLES.keys() | _SILENT | {"progress", "system"}
_ONLY_HERE = ("sessionId", "leafUuid", "messageId", "parentUuid")
_NOT_SAID = ("<command-", "<local-command-", "<bash-", "<task-notification", "<system-reminder", "Caveat: ")
"""How the user's lines begin that the user did not write."""
_INTERRUPTED = "[Request interrupted by user"
_REJECTED = ("The user doesn't want to proceed with this tool use", "The user doesn't want to take this action")
_SUBAGENTS = frozenset({"Task", "Agent"})
_SYNTHETIC = "<synthetic>"
_HEADS = 6
_MOST = 1_000_000


class ClaudeCode:
    """The format `claude_code`."""

    def places(self, home: Path, environment: Mapping[str, str]) -> Sequence[Path]:
        """Name the folder of its projects."""
        named = environment.get("CLAUDE_CONFIG_DIR", "")
        return [Path(named or home / ".claude") / "projects"]

    def recognises(self, head: bytes) -> bool:
        """Look for lines of its kinds that have its names."""
        return any(line.get("type") in _KNOWN and any(name in line for name in _ONLY_HERE) for line in objects_in(head))

    def sessions(self, path: Path) -> Iterable[str]:
        """Give the session of a file: the one that its name says, where a line says so too, else the first."""
        first = ""
        for value, _ in values_of(path):
            found = identity(mapping(value).get("sessionId"))
            if found == path.stem or (found and "agentId" in value):
                return [found]
            first = first or found or ""
            if first and mapping(value).get("type") in _TALK:
                break
        return [first or path.stem]

    def read(self, session_id: str, paths: Sequence[Path]) -> Transcript:
        """Begin to read a session and its subagents."""
        return Transcript(paths)


class Transcript:
    """One session (a ports.Reading)."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self.about = About()
        self._paths = paths
        self._at = ""
        self._lines: set[str] = set()
        self._called: set[str] = set()
        self._returned: set[str] = set()
        self._calls = ToolCalls(None)
        self._spending = Spending()
        self._prompts: dict[str, str] = {}
        """What subagents were told -> the calls that started them."""
        self._parents: dict[str, str | None] = {}
        """The chains of subagents -> the calls that started them."""

    def events(self) -> Iterator[Event]:
        """Give the events of all files in the order of their times."""
        parts = [self._events_in(path) for path in self._paths]
        return parts[0] if len(parts) == 1 else heapq.merge(*parts, key=lambda event: event.at)

    def _events_in(self, path: Path) -> Iterator[Event]:
        for value, line in values_of(path):
            events = self._read(value) if isinstance(value, dict) else None
            if events is None:
                yield raw_event(line, self._at)
            else:
                yield from events

    def _read(self, line: Line) -> Iterable[Event] | None:
        kind = line.get("type")
        if not isinstance(kind, str) or kind not in _KNOWN:
            return None
        if self._was_read(line.get("uuid")):
            return ()
        if "timestamp" in line:
            self._at = moment_of(line["timestamp"]) or self._at
        if kind in _TALK:
            return self._talk(line, self._parent(line) if line.get("isSidechain") else None)
        if kind == "progress":
            return self._progress(line)
        if kind == "system":
            return self._system(line)
        if kind in _TITLES:
            self.about.title = field(line.get(_TITLES[kind]), 500) or self.about.title
        return ()

    def _was_read(self, uuid: object) -> bool:
        """Say whether a line was there before; sessions that are continued elsewhere are copied as a whole."""
        if not isinstance(uuid, str):
            return False
        if uuid in self._lines:
            return True
        if len(self._lines) < _MOST:
            self._lines.add(uuid)
        return False

    def _talk(self, line: Line, parent: str | None) -> Iterable[Event] | None:
        message = line.get("message")
        content = message.get("content") if isinstance(message, dict) else None
        if isinstance(content, str):
            content = [{"type": "text", "text": content}]
        if not isinstance(message, dict) or not isinstance(content, list):
            return None
        if len(self.about.heads) < _HEADS or not self.about.project:
            self._note(line, message)
        events: list[Event] = []
        for block in content:
            events += self._block(block, line, parent)
        if line.get("type") == "assistant":
            events += self._count(message, line, parent)
        return events

    def _note(self, line: Line, message: Line) -> None:
        """Keep what the first lines say of the session."""
        about = self.about
        about.project = about.project or field(line.get("cwd"))
        about.branch = about.branch or field(line.get("gitBranch"), 500)
        about.agent_version = about.agent_version or field(line.get("version"), 100)
        about.heads += [name for name in (identity(line.get("uuid")), identity(message.get("id"))) if name]

    def _count(self, message: Line, line: Line, parent: str | None) -> Iterable[Event]:
        usage, model = mapping(message.get("usage")), field(message.get("model"), 200)
        if model and model != _SYNTHETIC and parent is None:
            self.about.model = model
        name = identity(message.get("id")) or identity(line.get("uuid")) or ""
        return self._spending.saw(name, model, _counts(usage), self._at, parent) if usage else ()

    def _block(self, block: object, line: Line, parent: str | None) -> Iterable[Event]:
        kind = block.get("type") if isinstance(block, dict) else None
        if not isinstance(block, dict) or not isinstance(kind, str):
            return [raw_event(written(block), self._at)]
        if kind == "text":
            return self._words(block.get("text"), line, parent)
        if kind in ("thinking", "redacted_thinking"):
            return [self._said(EventKind.THINKING, block.get("thinking"), parent)]
        if kind.endswith("tool_use"):
            return self._call(block, line, parent)
        if kind.endswith("tool_result"):
            return self._result(block, line, parent)
        if kind in ("image", "document"):
            return [self._said(EventKind.SYSTEM, f"[{kind}]", parent, subtype=kind)]
        return [raw_event(written(block), self._at)]

    def _words(self, text: object, line: Line, parent: str | None) -> Iterable[Event]:
        if line.get("type") == "assistant":
            return [self._said(EventKind.MESSAGE, text, parent)]
        words = text if isinstance(text, str) else ""
        if words.startswith(_INTERRUPTED):
            return [self._said(EventKind.INTERRUPT, words, parent)]
        if parent is not None or line.get("isSidechain"):
            return [self._said(EventKind.SYSTEM, words, parent, subtype="subagent")]
        if line.get("isMeta") or line.get("isCompactSummary") or words.startswith(_NOT_SAID):
            return [self._said(EventKind.SYSTEM, words, parent, subtype="user")]
        self.about.goal = self.about.goal or bounded(words)
        return [self._said(EventKind.PROMPT, words, parent)]

    def _said(self, kind: EventKind, text: object, parent: str | None, **told: Any) -> Event:
        words = text if isinstance(text, str) else ""
        return Event(
            kind,
            bounded(words, TEXT_LIMIT),
            parent_call_id=parent,
            data=told | cut(words, TEXT_LIMIT),
            at=self._at,
        )

    def _call(self, block: Line, line: Line, parent: str | None) -> Iterable[Event]:
        name = identity(block.get("id"))
        if name is not None:
            if name in self._called:
                return ()
            self._called.add(name)
        event = self._calls.called(block, _with_parent(line, parent), self._at)
        if event is None:
            return [raw_event(written(block), self._at)]
        if name and event.tool in _SUBAGENTS:
            self._prompts[field(mapping(block.get("input")).get("prompt"))] = name
        return [event]

    def _result(self, block: Line, line: Line, parent: str | None) -> Iterable[Event]:
        name = identity(block.get("tool_use_id"))
        if name is not None:
            if name in self._returned:
                return ()
            self._returned.add(name)
        event = self._calls.returned(block, _with_parent(line, parent), self._at)
        if event.is_error and event.text.startswith(_REJECTED):
            rejection = Event(
                EventKind.REJECTION, event.text, event.tool, name, parent, event.command, path=event.path, at=self._at
            )
            return [event, rejection]
        return [event]

    def _progress(self, line: Line) -> Iterable[Event] | None:
        told = mapping(line.get("data"))
        if told.get("type") != "agent_progress":
            return ()
        nested = mapping(told.get("message"))
        if self._was_read(nested.get("uuid")):
            return ()
        self._at = moment_of(nested.get("timestamp")) or self._at
        return self._talk({**nested, "isSidechain": True}, identity(line.get("parentToolUseID")))

    def _system(self, line: Line) -> Iterable[Event]:
        subtype = field(line.get("subtype"), 100)
        words = field(line.get("content")) or field(mapping(line.get("error")).get("message"))
        kind = EventKind.RETRY if subtype == "api_error" else EventKind.SYSTEM
        return [self._said(kind, words, None, subtype=subtype)]

    def _parent(self, line: Line) -> str | None:
        """Find the call that started the subagent that a line belongs to."""
        chain = identity(line.get("agentId"))
        above, name = identity(line.get("parentUuid")), identity(line.get("uuid"))
        key = chain or (above if above in self._parents else name) or ""
        if key not in self._parents:
            told = mapping(line.get("message")).get("content")
            self._parents[key] = self._prompts.get(field(told))
        if name and not chain:
            self._parents[name] = self._parents[key]
        return self._parents[key]


def _counts(usage: Mapping[str, Any]) -> Counts:
    return (
        count(usage.get("input_tokens")),
        count(usage.get("output_tokens")),
        count(usage.get("cache_read_input_tokens")),
        count(usage.get("cache_creation_input_tokens")),
    )


def _with_parent(line: Line, parent: str | None) -> Line:
    return line if parent is None else {**line, "parent_tool_use_id": parent}
