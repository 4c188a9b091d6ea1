"""Claude Code's transcripts: `~/.claude/projects/<folder>/<session>.jsonl`, and its subagents' beside them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from loopwright.ingest.claude_calls import Calls, rejection
from loopwright.ingest.claude_lines import Block, Line, Message, Usage, line_of
from loopwright.ingest.lines import lines_of
from loopwright.ingest.ports import About
from loopwright.ingest.reading import LONGEST_WORDS, ends_of, merged, moment_of, raw_event, written
from loopwright.ingest.seen import Seen
from loopwright.ingest.sniffing import objects_in
from loopwright.ingest.spending import Spending
from loopwright.records.event import Event, EventKind
from loopwright.text.amounts import count
from loopwright.text.bounded import cut

_TALK = frozenset({"user", "assistant"})
_TITLES = frozenset({"summary", "ai-title", "custom-title", "agent-name"})
_SILENT = frozenset(
    {
        *("file-history-snapshot", "file-history-delta", "mode", "permission-mode", "last-prompt", "queue-operation"),
        *("pr-link", "attachment", "api-request", "api-request-shape", "api-request-blob", "atis-latch", "tools-used"),
        *("cost-state", "worktree-state", "bridge-session", "saved_hook_context", "content-replacement"),
        *("marble-origami-commit", "speculation-accept", "tag", "agent-color", "agent-setting"),
    }
)
"""Lines that Claude Code keeps for itself: nothing happened in them that another line does not tell."""
_SILENT_NEWS = frozenset({"turn_duration", "stop_hook_summary", "bridge_status"})
_KNOWN = _TALK | _TITLES | _SILENT | {"progress", "system"}
_ONLY_HERE = ("sessionId", "leafUuid", "messageId", "parentUuid")
_NOT_SAID = ("<command-", "<local-command-", "<bash-", "<task-notification", "<system-reminder", "Caveat: ")
"""How the user's lines begin that the user did not write."""
_INTERRUPTED = "[Request interrupted by user"
_REJECTED = ("The user doesn't want to proceed with this tool use", "The user doesn't want to take this action")
_SYNTHETIC = "<synthetic>"
_HEADS = 6


class ClaudeCode:
    """The format `claude_code`."""

    def places(self, home: Path, environment: Mapping[str, str]) -> Sequence[Path]:
        """Name the folder of its projects."""
        named = environment.get("CLAUDE_CONFIG_DIR", "")
        return [Path(named or home / ".claude") / "projects"]

    def recognises(self, head: bytes) -> bool:
        """Look for lines of its kinds that have its names."""
        return any(
            str(line.get("type")) in _KNOWN and any(name in line for name in _ONLY_HERE) for line in objects_in(head)
        )

    def sessions(self, path: Path) -> Iterable[str]:
        """Give the session of a file: the one that its name says, where a line says so too, else the first."""
        first = ""
        for raw in lines_of(path):
            line = line_of(raw)
            if line is None or not line.session_id:
                continue
            if line.session_id == path.stem or line.agent_id:
                return [line.session_id]
            first = first or line.session_id
            if line.type in _TALK:
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
        self._lines = Seen()
        self._calls = Calls()
        self._spending = Spending()
        self._parents: dict[str, str | None] = {}
        """The chains of subagents -> the calls that started them."""

    def events(self) -> Iterator[Event]:
        """Give the events of all files in the order of their times."""
        for at, line, raw in merged([_timed(path) for path in self._paths]):
            self._at = at
            events = None if line is None else self._read(line)
            if events is not None:
                yield from events
            elif raw.strip():
                yield raw_event(raw, self._at)

    def _read(self, line: Line) -> Sequence[Event] | None:
        kind = line.type
        if kind not in _KNOWN:
            return None
        if line.uuid and not self._lines.is_new(line.uuid):  # who continues a session elsewhere copies all of it
            return ()
        if kind in _TALK:
            return self._talk(line, self._parent(line) if line.is_sidechain else None)
        if kind == "progress":
            return self._progress(line)
        if kind == "system":
            return () if line.subtype in _SILENT_NEWS else [self._system(line)]
        self.about.title = line.custom_title or line.ai_title or line.summary or self.about.title
        return ()

    def _talk(self, line: Line, parent: str | None) -> Sequence[Event] | None:
        message = line.message
        if message is None or message.content is None:
            return None
        if len(self.about.heads) < _HEADS:
            self._note(line)
        if isinstance(message.content, str):
            return [self._words(message.content, line, parent)]
        events = []
        for block in message.content:
            if event := self._block(block, line, parent):
                events.append(event)
                if event.is_error and event.text.startswith(_REJECTED):
                    events.append(rejection(event))
        if message.usage is not None:
            events += self._count(message, message.usage, line, parent)
        return events

    def _note(self, line: Line) -> None:
        """Keep what the first lines say of the session."""
        about = self.about
        about.project = about.project or line.cwd or ""
        about.branch = about.branch or line.git_branch or ""
        about.agent_version = about.agent_version or line.version or ""
        about.heads += [line.uuid] if line.uuid else []

    def _count(self, message: Message, usage: Usage, line: Line, parent: str | None) -> Sequence[Event]:
        model = message.model or ""
        if model and model != _SYNTHETIC and parent is None:
            self.about.model = model
        kept = usage.cache_creation
        counts = (
            count(usage.input_tokens),
            count(usage.output_tokens),
            count(usage.cache_read_input_tokens),
            count(usage.cache_creation_input_tokens),
            count(kept.ephemeral_1h_input_tokens) if kept else 0,
        )
        return self._spending.saw(message.id or line.uuid or "", model, counts, self._at, parent)

    def _block(self, block: Block, line: Line, parent: str | None) -> Event | None:
        kind = block.type
        if kind == "text":
            return self._words(block.text or "", line, parent)
        if kind in ("thinking", "redacted_thinking"):
            return self._said(EventKind.THINKING, block.thinking or "", parent)
        if kind.endswith("tool_use"):
            return self._calls.called(block, parent, self._at)
        if kind.endswith("tool_result"):
            return self._calls.returned(block, line, parent, self._at)
        if kind in ("image", "document"):
            return self._said(EventKind.SYSTEM, f"[{kind}]", parent, subtype=kind)
        return raw_event(written(msgspec.to_builtins(block)), self._at)

    def _words(self, words: str, line: Line, parent: str | None) -> Event:
        if line.type == "assistant":
            return self._said(EventKind.MESSAGE, words, parent)
        if words.startswith(_INTERRUPTED):
            return self._said(EventKind.INTERRUPT, words, parent)
        if parent is not None or line.is_sidechain:
            return self._said(EventKind.SYSTEM, words, parent, subtype="subagent")
        if line.is_meta or line.is_compact_summary or words.startswith(_NOT_SAID):
            return self._said(EventKind.SYSTEM, words, parent, subtype="user")
        self.about.goal = self.about.goal or words
        return self._said(EventKind.PROMPT, words, parent)

    def _said(self, kind: EventKind, words: str, parent: str | None, **told: Any) -> Event:
        data = told | cut(words, LONGEST_WORDS)
        return Event(kind, ends_of(words, LONGEST_WORDS), parent_call_id=parent, data=data, at=self._at)

    def _progress(self, line: Line) -> Sequence[Event] | None:
        told = line.data
        if told is None or told.type != "agent_progress" or told.message is None:
            return ()
        nested = told.message
        if nested.uuid and not self._lines.is_new(nested.uuid):
            return ()
        self._at = moment_of(nested.timestamp) or self._at
        nested.is_sidechain = True
        return self._talk(nested, line.parent_tool_use_id)

    def _system(self, line: Line) -> Event:
        kind = EventKind.RETRY if line.subtype == "api_error" else EventKind.SYSTEM
        return self._said(kind, line.content or "", None, subtype=line.subtype or "")

    def _parent(self, line: Line) -> str | None:
        """Find the call that started the subagent that a line belongs to."""
        above = line.parent_uuid if line.parent_uuid in self._parents else line.uuid
        chain = line.agent_id or above or ""
        if chain not in self._parents:
            told = line.message.content if line.message else ""
            self._parents[chain] = self._calls.that_started(told if isinstance(told, str) else "")
        if line.uuid and not line.agent_id:
            self._parents[line.uuid] = self._parents[chain]
        return self._parents[chain]


def _timed(path: Path) -> Iterator[tuple[str, Line | None, bytes]]:
    """Give the lines of a file with their times; one that tells none has that of the line before."""
    at = ""
    for raw in lines_of(path):
        line = line_of(raw)
        if line is not None and line.timestamp:
            at = moment_of(line.timestamp) or at
        yield at, line, raw
