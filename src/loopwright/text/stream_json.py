"""Claude Code's stream-json lines -> events, tokens counted once, and its last word. It never raises."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from loopwright.records.budget import Usage
from loopwright.records.event import Event, EventKind
from loopwright.text.bounded import TEXT_LIMIT, Line, bounded, cut, data, field, mapping
from loopwright.text.tally import Tally
from loopwright.text.told import error, raw, usage_event
from loopwright.text.tool_calls import ToolCalls, identity

SKIPPED = frozenset({"stream_event", "tool_progress", "keep_alive"})
"""They repeat in small what an assistant line says whole, or only say that something lives."""
NEWS = frozenset({"rate_limit_event", "auth_status", "tool_use_summary", "prompt_suggestion"})
TYPES = SKIPPED | NEWS | {"system", "assistant", "user", "result"}


@dataclass(frozen=True)
class FinalWord:
    """What a result line says. Never evidence of work."""

    is_error: bool
    text: str = ""
    errors: tuple[str, ...] = ()
    denials: tuple[str, ...] = ()
    """The tools that were refused, once for each time."""
    status: int | None = None
    """Of HTTP, where the model's server gave an error."""
    why: str = ""
    """The agent's own names for its end, in one line: subtype, terminal_reason, stop_reason."""

    @property
    def reason(self) -> str:
        """What went wrong, in its words."""
        return "; ".join(self.errors) or self.text


class StreamJson:
    """One stream, read line by line to its end, each of them parsed before."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.model = ""
        """As the agent reports it."""
        self.last_message = ""
        """The newest text of the agent itself, not of its subagents."""
        self.version = self.conversation = ""
        self.retry: tuple[int | None, str] = (None, "")
        """The status and the words of the last trouble with the model's server, while it lasts."""
        self.resets_at = 0
        """When a limit that has been reached is lifted, in seconds since 1970; 0 where that is not known."""
        self.result: FinalWord | None = None
        """Of the newest result; there can be several."""
        self._tally = Tally()
        self._calls = ToolCalls(clock)

    def usage(self) -> tuple[Usage, float]:
        """Give tokens and cost so far. The cost is only known once a result has said it."""
        total = self._tally.total()
        return total.tokens, total.cost_usd

    def read(self, line: Line) -> list[Event] | None:
        """Say what a line tells; None where it is not understood."""
        match line.get("type"):
            case "assistant" | "user":
                return self._message(line)
            case "result":
                return self._result(line)
            case "system":
                return self._system(line)
            case str(kind) if kind in SKIPPED:
                self._count_partial(line)
                return []
            case str(kind) if kind in NEWS:
                self._note_limit(line)
                return [_news(line, kind)]
        return None

    def _count_partial(self, line: Line) -> None:
        # Assistant lines hold the output tokens of the message's start; only this one has those of its end.
        event = mapping(line.get("event"))
        if event.get("type") == "message_delta":
            self._tally.saw(line.get("api_message_id"), event.get("usage"))

    def _note_limit(self, line: Line) -> None:
        limit = mapping(line.get("rate_limit_info"))
        resets = limit.get("resetsAt") if limit.get("status") == "rejected" else None
        if isinstance(resets, int) and 0 < resets < 10**10:
            self.resets_at = resets

    def _system(self, line: Line) -> list[Event] | None:
        match line.get("subtype"):
            case "init":
                return [self._init(line)]
            case "api_retry":
                status = line.get("error_status")
                self.retry = (status if isinstance(status, int) else None, field(line.get("error")))
                return [_retry(line)]
            case "permission_denied":
                return [self._calls.denied(line)]
            case str(subtype):
                return [_news(line, field(subtype))]
        return None

    def _init(self, line: Line) -> Event:
        self.model = field(line.get("model")) or self.model
        self.version, self.conversation = field(line.get("claude_code_version")), field(line.get("session_id"))
        told = {"subtype": "init", "model": self.model, "version": self.version, "session_id": self.conversation}
        tools = data(line.get("tools"))
        return Event(EventKind.SYSTEM, f"{self.model} {self.version}".strip(), data={**told, "tools": tools})

    def _message(self, line: Line) -> list[Event] | None:
        message = line.get("message")
        content = mapping(message).get("content")
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        if not isinstance(message, Mapping) or not isinstance(blocks, list):
            return None
        if line.get("type") == "assistant":
            self._note(message, line)
        return [self._block(block, line) for block in blocks]

    def _note(self, message: Line, line: Line) -> None:
        self.retry = (None, "")
        self._tally.saw(message.get("id"), message.get("usage"))
        model = field(message.get("model"))
        if model and model != "<synthetic>" and not line.get("parent_tool_use_id"):
            self.model = model

    def _block(self, block: object, line: Line) -> Event:
        event = self._known_block(block, line) if isinstance(block, Mapping) else None
        return event or raw(json.dumps(data(block), ensure_ascii=False))

    def _known_block(self, block: Line, line: Line) -> Event | None:
        match block.get("type"):
            case "text":
                return self._words(block.get("text"), line)
            case "thinking" | "redacted_thinking":
                return _said(EventKind.THINKING, block.get("thinking", ""), line)
            case "tool_use" | "server_tool_use" | "mcp_tool_use":
                return self._calls.called(block, line)
            case str(kind) if kind.endswith("tool_result"):
                return self._calls.returned(block, line)
        return None

    def _words(self, text: object, line: Line) -> Event | None:
        if line.get("type") == "user":
            synthetic = line.get("isSynthetic") is True
            return _said(EventKind.SYSTEM, text, line, subtype="user", synthetic=synthetic)
        if not line.get("parent_tool_use_id"):
            self.last_message = field(text, TEXT_LIMIT) or self.last_message
        error = field(line.get("error"))
        return _said(EventKind.MESSAGE, text, line, **({"error": error} if error else {}))

    def _result(self, line: Line) -> list[Event] | None:
        if not isinstance(line.get("is_error"), bool):
            return None
        self.result = _final_word(line)
        added = self._tally.settle(line)
        return [usage_event(added.tokens, added.cost_usd), _closing(line, self.result)]


def _said(kind: EventKind, text: object, line: Line, **told: Any) -> Event | None:
    if not isinstance(text, str):
        return None
    parent = identity(line.get("parent_tool_use_id"))
    return Event(
        kind,
        bounded(text, TEXT_LIMIT),
        parent_call_id=parent,
        is_error="error" in told,
        data=told | cut(text, TEXT_LIMIT),
    )


def _news(line: Line, subtype: str) -> Event:
    names = ("content", "summary", "description", "message", "status")
    text = next((field(line.get(name)) for name in names if field(line.get(name))), "")
    return Event(EventKind.SYSTEM, text, call_id=identity(line.get("tool_use_id")), data={"subtype": subtype})


def _retry(line: Line) -> Event:
    names = ("attempt", "max_retries", "retry_delay_ms", "error_status", "error")
    told = {name: data(line.get(name)) for name in names}
    text = f"{told['error']} ({told['error_status']}), retry {told['attempt']} of {told['max_retries']}"
    return Event(EventKind.RETRY, bounded(text), data=told)


def _final_word(line: Line) -> FinalWord:
    errors, denials = line.get("errors"), line.get("permission_denials")
    return FinalWord(
        is_error=line.get("is_error") is True,
        text=field(line.get("result"), TEXT_LIMIT),
        errors=tuple(field(error) for error in errors[:20] if field(error)) if isinstance(errors, list) else (),
        denials=tuple(_tool(denial) for denial in denials[:100]) if isinstance(denials, list) else (),
        status=status if isinstance(status := line.get("api_error_status"), int) else None,
        why=" ".join(field(line.get(name), 200) for name in ("subtype", "terminal_reason", "stop_reason")),
    )


def _tool(denial: object) -> str:
    return field(mapping(denial).get("tool_name"), 200) or "?"


def _closing(line: Line, final: FinalWord) -> Event:
    names = ("subtype", "num_turns", "duration_api_ms", "terminal_reason", "stop_reason", "api_error_status")
    told = {name: data(line[name]) for name in (*names, "structured_output") if line.get(name) is not None}
    took, text = line.get("duration_ms"), final.reason if final.is_error else final.text
    return Event(
        EventKind.RESULT,
        bounded(text, TEXT_LIMIT),
        duration_s=took / 1000 if isinstance(took, int | float) and 0 <= took < 10**12 else None,
        data={**told, "errors": list(final.errors), "denials": list(final.denials)},
        **error(final.is_error, text),
    )
