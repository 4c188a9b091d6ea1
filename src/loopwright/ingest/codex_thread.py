"""The lines of one thread of Codex -> events: what two lines tell of is told once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from loopwright.ingest.codex_calls import Calls
from loopwright.ingest.codex_meta import describe, is_subagent
from loopwright.ingest.codex_tools import ENDS, TOOLS
from loopwright.ingest.codex_words import Twice, checksum, key_of, sorted_out, texts_of
from loopwright.ingest.cumulative import Cumulative
from loopwright.ingest.ports import About
from loopwright.ingest.reading import moment_of, said
from loopwright.ingest.seen import Seen
from loopwright.ingest.spending import used
from loopwright.records.event import Event, EventKind
from loopwright.text import codex_lines
from loopwright.text.bounded import Line, bounded, field, mapping
from loopwright.text.tool_calls import identity

Read = Iterable[Event] | None
"""None: it was not understood."""

_HEADS = 8
_LONG = 20
"""A shorter id is not of OpenAI, and others may have the same."""


class Thread:
    """One thread: the user's own, or that of a subagent."""

    def __init__(self, about: About, seen: Seen, parent_call_id: str | None = None) -> None:
        self._about, self._seen, self._parent = about, seen, parent_call_id
        self.at = ""
        self._is_begun = self._is_subagent = False
        self._model = self._prefix = self._trouble = ""
        self._unnamed = 0
        self._tokens = Cumulative()
        self._prompts, self._messages = Twice(), Twice()
        self._calls = Calls(seen, parent_call_id)

    def read(self, line: Line) -> Read:
        """Read one line; None where it is not understood."""
        kind, payload = line.get("type"), line.get("payload")
        if "timestamp" in line:
            self.at = self._calls.at = moment_of(line["timestamp"]) or self.at
        if not isinstance(kind, str):
            return self._untyped(line)
        if not isinstance(payload, dict):
            return self._item(line)  # as lines were before they had a payload
        reader = _LINES.get(kind)
        return reader(self, payload) if reader else None

    def _untyped(self, line: Line) -> Read:
        if "record_type" in line:
            return ()
        return self._meta(line) if "id" in line and ("instructions" in line or "git" in line) else None

    def _nothing(self, told: Line) -> Read:
        return ()

    def _meta(self, told: Line) -> Read:
        """Read what a thread says of itself; of those that its history was copied from only the id counts."""
        name, forked = identity(told.get("id")), identity(told.get("forked_from_id"))
        if self._is_begun:
            self._head(name)
            return ()
        self._is_begun, self._is_subagent = True, is_subagent(told)
        self._tokens = Cumulative(continues=self._is_subagent or forked is not None)
        if self._is_subagent:
            self._prefix = self._calls.prefix = "" if forked else f"{name} "
            return ()
        describe(self._about, told)
        self._head(name)
        if "forked_from_ordinal_exclusive" not in told:  # else its history was not copied
            self._head(forked)
        return ()

    def _context(self, told: Line) -> Read:
        told = mapping(told.get("thread_settings")) or told
        self._model = field(told.get("model"), 200) or self._model
        if not self._is_subagent:
            self._about.model = self._model or self._about.model
            self._about.project = self._about.project or field(told.get("cwd"))
        return ()

    def _record(self, told: Line) -> Read:
        return self._spent(told.get("thread_token_usage"), told.get("usage"))

    def _token_count(self, told: Line) -> Read:
        info = mapping(told.get("info"))
        return self._spent(info.get("total_token_usage"), info.get("last_token_usage"))

    def _spent(self, total: object, last: object) -> Read:
        if not isinstance(total, dict):
            return ()
        whole = _counts(total)
        more = self._tokens.added(whole, _counts(last) if isinstance(last, dict) else None)
        name = f"tokens {self._prefix}{'/'.join(map(str, whole))}"
        return [used(self._model, more, self.at, name, self._parent)] if more and self._seen.is_new(name) else ()

    def _message(self, item: Line) -> Read:
        name, role = identity(item.get("id")), item.get("role")
        if role == "user":
            return self._asked(*sorted_out(item), name)
        text = "\n".join(texts_of(item.get("content")))
        if role == "assistant":
            return self._answered(text, name)
        return self._talk(EventKind.SYSTEM, text, name, subtype="instructions")

    def _answered(self, text: str, name: str | None, *, again: bool = False) -> Read:
        return () if self._messages.is_second(checksum(text), again) else self._talk(EventKind.MESSAGE, text, name)

    def _asked(self, own: list[str], injected: list[str], name: str | None, *, again: bool = False) -> Read:
        """Tell what came in the user's name; only a part of that is a human's words."""
        events = list[Event]()
        if injected and not again:
            events += self._talk(EventKind.SYSTEM, "\n".join(injected), name, subtype="context")
        if not own or self._prompts.is_second(key_of(own), again):
            return events
        text = "\n".join(own)
        if self._is_subagent:
            return [*events, *self._talk(EventKind.SYSTEM, text, name, subtype="subagent")]
        self._about.goal = self._about.goal or bounded(text)
        return [*events, *self._talk(EventKind.PROMPT, text, name)]

    def _heard(self, told: Line) -> Read:
        """Take words of the user that the conversation has as well."""
        message = {"content": told.get("content") or told.get("message")}
        return self._asked(*sorted_out(message), None, again=True)

    def _spoke(self, told: Line) -> Read:
        texts = texts_of(told.get("content") or told.get("message"))
        return self._answered("\n".join(texts), identity(told.get("id")), again=True)

    def _reasoning(self, item: Line) -> Read:
        texts = texts_of(item.get("summary")) or texts_of(item.get("content"))
        return self._talk(EventKind.THINKING, "\n".join(texts), identity(item.get("id")))

    def _talk(self, kind: EventKind, text: str, name: str | None, **told: Any) -> list[Event]:
        """Tell what was said, unless it was told before: threads begin with what they were forked from."""
        self._unnamed += name is None
        message = f"{self._prefix}{name or self._unnamed}-{checksum(text):08x}"
        if not self._seen.is_new(message):
            return []
        self._head(name)
        return [self._said(kind, text, message=message, **told)]

    def _said(self, kind: EventKind, text: object, **told: Any) -> Event:
        return said(kind, text, self.at, self._parent, **told)

    def _head(self, name: str | None) -> None:
        heads = self._about.heads
        if name and len(name) >= _LONG and len(heads) < _HEADS and not self._is_subagent and name not in heads:
            heads.append(name)

    def _aborted(self, told: Line) -> Read:
        by_human = told.get("reason") == "interrupted" and not self._is_subagent
        kind = EventKind.INTERRUPT if by_human else EventKind.SYSTEM
        return [self._said(kind, told.get("reason"), subtype="turn_aborted")]

    def _failed(self, told: Line) -> Read:
        self._trouble = codex_lines.words(told.get("message"))
        return [self._said(EventKind.ERROR, self._trouble)]

    def _turn_ended(self, told: Line) -> Read:
        """Tell of what a turn ended with, unless a line before it did."""
        error, before = mapping(told.get("error")), self._trouble
        self._trouble = ""
        return self._failed(error) if error and codex_lines.words(error.get("message")) != before else ()

    def _retried(self, told: Line) -> Read:
        return [self._said(EventKind.RETRY, told.get("message"))]

    def _assessed(self, told: Line) -> Read:
        return [self._said(EventKind.DENIAL, told.get("rationale"))] if told.get("status") == "denied" else ()

    def _noted(self, told: Line) -> Read:
        words = told.get("message") or told.get("text") or told.get("content") or told.get("user_facing_hint")
        subtype = field(told.get("type"), 100).lower() or "compacted"
        return [self._said(EventKind.SYSTEM, "\n".join(texts_of(words)), subtype=subtype)]

    def _named(self, told: Line) -> Read:
        self._about.title = field(told.get("thread_name"), 500) or self._about.title
        return ()

    def _event(self, told: Line) -> Read:
        """Read what Codex told its own terminal."""
        kind = told.get("type")
        if kind == "item_completed":
            told = mapping(told.get("item"))
            kind = told.get("type")
        if not isinstance(kind, str):
            return None
        if kind in ENDS:
            return ENDS[kind](self._calls, told)
        reader = _NEWS.get(kind)
        return reader(self, told) if reader else () if kind in _OWN or kind.endswith(_PARTS) else None

    def _item(self, item: Line) -> Read:
        """Read a part of the conversation with the model."""
        kind = item.get("type")
        if not isinstance(kind, str):
            return None
        if kind in TOOLS:
            if len(self._about.heads) < _HEADS:
                self._head(identity(item.get("call_id")))
            return TOOLS[kind](self._calls, item)
        reader = _ITEMS.get(kind)
        return reader(self, item) if reader else None


Reader = Callable[[Thread, Line], Read]


def _counts(usage: object) -> list[int]:
    told = codex_lines.usage_of(usage)
    return [told.input, told.output, told.cache_read, told.cache_write]


_NOTHING = Thread._nothing
_LINES: Mapping[str, Reader] = {
    "session_meta": Thread._meta,
    "response_item": Thread._item,
    "event_msg": Thread._event,
    "turn_context": Thread._context,
    "token_usage_record": Thread._record,
    "compacted": Thread._noted,
    "inter_agent_communication": Thread._noted,
    "inter_agent_communication_metadata": _NOTHING,
    "world_state": _NOTHING,
}
_ITEMS: Mapping[str, Reader] = {
    "message": Thread._message,
    "reasoning": Thread._reasoning,
    "agent_message": Thread._noted,
    **dict.fromkeys(("ghost_snapshot", "additional_tools", "other"), _NOTHING),
    **dict.fromkeys(("compaction", "compaction_summary", "compaction_trigger", "context_compaction"), _NOTHING),
}
_NOTED = (
    *("warning", "guardian_warning", "deprecation_notice", "thread_rolled_back", "entered_review_mode"),
    *("model_reroute", "exited_review_mode", "thread_goal_updated", "background_event", "Plan", "HookPrompt"),
)
_NEWS: Mapping[str, Reader] = {
    "user_message": Thread._heard,
    "UserMessage": Thread._heard,
    "agent_message": Thread._spoke,
    "AgentMessage": Thread._spoke,
    "token_count": Thread._token_count,
    "turn_aborted": Thread._aborted,
    "error": Thread._failed,
    **dict.fromkeys(("task_complete", "turn_complete"), Thread._turn_ended),
    "stream_error": Thread._retried,
    "guardian_assessment": Thread._assessed,
    "thread_name_updated": Thread._named,
    "session_configured": Thread._context,
    "thread_settings_applied": Thread._context,
    **dict.fromkeys(_NOTED, Thread._noted),
}
_OWN = frozenset(
    {
        *("task_started", "turn_started", "context_compacted", "turn_diff", "agent_reasoning"),
        *("agent_reasoning_raw_content", "agent_reasoning_section_break", "plan_update", "Reasoning"),
        *("ContextCompaction", "SubAgentActivity", "sub_agent_activity", "ImageView", "Sleep", "ImageGeneration"),
        *("image_generation_end", "view_image_tool_call", "CollabAgentToolCall", "hook_started", "hook_completed"),
        *("shutdown_complete", "item_started", "mcp_startup_complete", "mcp_startup_update"),
        *("skills_update_available", "raw_response_item", "model_verification", "turn_moderation_metadata"),
        *("terminal_interaction", "undo_started", "undo_completed", "patch_apply_updated"),
        *("get_history_entry_response", "EnteredReviewMode", "ExitedReviewMode", "safety_buffering"),
        *("DynamicToolCall", "dynamic_tool_call_response"),
    }
)
"""What nothing happened in that another line does not tell."""
_PARTS = ("_begin", "_delta", "_request", "_response")
