"""What an agent says over the Agent Client Protocol -> events: words joined, each tool call once and once its result.

Agents differ: one tells a call's arguments later than the call, another only asks for permission and then tells its
end. So a call is put together from all that is said of it, and told when there is something to tell.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from loopwright.records.budget import Usage
from loopwright.records.event import Event, EventKind
from loopwright.text.amounts import amount, count_of, exit_code
from loopwright.text.bounded import TEXT_LIMIT, Line, bounded, cut, data, field, forget_oldest, mapping
from loopwright.text.told import error, message

_SILENT = frozenset(
    {"available_commands_update", "current_mode_update", "config_option_update", "session_info_update"}
    | {"user_message_chunk", "usage_update"}
)
_WORDS = {"agent_message_chunk": EventKind.MESSAGE, "agent_thought_chunk": EventKind.THINKING}
_PATHS = ("file_path", "filePath", "path", "abs_path")
_EXIT_CODE = re.compile(r"\s*Exit code (\d{1,9})\b\s*")
_LONGEST = 10 * TEXT_LIMIT


@dataclass(frozen=True)
class _Call:
    """A tool call, as far as it is known."""

    id: str
    began: float
    tool: str = ""
    kind: str = ""
    title: str = ""
    status: str = ""
    given: Any = None
    output: Any = None
    texts: tuple[str, ...] = ()
    diffs: tuple[Line, ...] = ()
    path: str = ""
    printed: str = ""
    exit_code: int | None = None
    told: bool = False

    @property
    def has_begun(self) -> bool:
        given = set(self.given) - {"cwd"} if isinstance(self.given, Mapping) else self.given
        return bool(given or self.diffs or self.path) or self.status not in ("", "pending")

    @property
    def has_ended(self) -> bool:
        return self.status in ("completed", "failed")

    @property
    def command(self) -> str | None:
        if self.kind != "execute":
            return None
        given = mapping(self.given).get("command")
        words = " ".join(map(str, given)) if isinstance(given, list) else given
        return field(words) or self.title or None

    @property
    def text(self) -> str:
        """What came of it."""
        output = mapping(self.output)
        said = (self.output, output.get("output"), output.get("error"), self.printed, "\n".join(self.texts))
        return next((text for text in said if isinstance(text, str) and text), "")


@dataclass
class _Words:
    """A message that comes in pieces."""

    kind: EventKind
    message: str
    text: str = ""


class AcpLines:
    """One prompt's updates, read one after the other."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._calls: dict[str, _Call] = {}
        self._words: _Words | None = None
        self.last_message = ""
        self.cost_usd = 0.0
        """Of the whole session, as the agent counts it."""

    def update(self, line: Line) -> list[Event] | None:
        """Take a session's update; None where it is not understood."""
        kind = field(line.get("sessionUpdate"), 100)
        if kind in _WORDS:
            return self._say(_WORDS[kind], line)
        if kind in ("tool_call", "tool_call_update"):
            return self.flush() + self._advance(line)
        if kind == "plan":
            return [*self.flush(), _plan(line)]
        if kind == "usage_update":
            self._note_cost(mapping(line.get("cost")))
        return [] if kind in _SILENT else None

    def asked(self, tool: Line, denied: str) -> list[Event]:
        """Take a request for permission, and why it was denied, if it was."""
        name, events = field(tool.get("toolCallId"), 200), self.flush()
        if name:
            events += self._advance(tool, asked=True)
        call = self._calls.get(name) or _merged(_Call(name, self._clock()), tool)
        return [*events, _denied(call, denied)] if denied else events

    def flush(self) -> list[Event]:
        """Give the words that came in pieces, now that something else comes."""
        words, self._words = self._words, None
        if words is None or not words.text.strip():
            return []
        return [message(words.text, words.kind)]

    def end(self) -> list[Event]:
        """Give what is left at the end: words, and calls that nothing more was heard of."""
        return self.flush() + [_called(call) for call in self._calls.values() if not call.told]

    def _say(self, kind: EventKind, line: Line) -> list[Event] | None:
        content, name = mapping(line.get("content")), field(line.get("messageId"), 200)
        if not isinstance(text := content.get("text"), str):
            return None if content.get("type") in (None, "text") else []
        events, words = [], self._words
        if words is None or (words.kind, words.message) != (kind, name):
            events, self._words = self.flush(), (words := _Words(kind, name))
        words.text = (words.text + text)[:_LONGEST]
        if kind is EventKind.MESSAGE and words.text.strip():
            self.last_message = words.text
        return events

    def _advance(self, line: Line, asked: bool = False) -> list[Event]:
        name = field(line.get("toolCallId"), 200)
        call = _merged(self._calls.pop(name, _Call(name, self._clock())), line)
        events = []
        if not call.told and (asked or call.has_begun):
            events, call = [_called(call)], replace(call, told=True)
        if call.has_ended:
            return [*events, _returned(call, self._clock() - call.began)]
        self._calls[name] = call
        forget_oldest(self._calls)
        return events

    def _note_cost(self, cost: Line) -> None:
        if cost.get("currency", "USD") == "USD":
            self.cost_usd = max(self.cost_usd, amount(cost.get("amount")))


def usage_of(response: Line) -> Usage:
    """Read what a prompt's answer says of tokens."""
    told = mapping(response.get("usage"))
    if not told:  # Gemini has it here
        told = mapping(mapping(mapping(response.get("_meta")).get("quota")).get("token_count"))
    read = Usage(
        count_of(told, "inputTokens", "input_tokens"),
        count_of(told, "outputTokens", "output_tokens"),
        count_of(told, "cachedReadTokens"),
        count_of(told, "cachedWriteTokens"),
    )
    # For one agent thoughts are a part of the output, for another they come on top of it: the sum tells.
    thoughts = count_of(told, "thoughtTokens")
    return read + Usage(output=thoughts) if count_of(told, "totalTokens") == read.total + thoughts else read


def model(session: Line) -> str:
    """Read which model a session has, or which one has answered."""
    answered = mapping(mapping(session.get("_meta")).get("quota")).get("model_usage")
    if isinstance(answered, list) and answered:
        return field(mapping(answered[0]).get("model"), 200)
    options = session.get("configOptions")
    for option in map(mapping, options if isinstance(options, list) else ()):
        if "model" in (option.get("category"), option.get("id")):
            return field(option.get("currentValue"), 200)
    return field(mapping(session.get("models")).get("currentModelId"), 200)


def _merged(call: _Call, line: Line) -> _Call:
    """Put what an update says on top of what is known; what it does not say stays."""
    meta, content = mapping(line.get("_meta")), line.get("content")
    parts = [mapping(part) for part in content] if isinstance(content, list) else []
    texts = tuple(field(mapping(part.get("content")).get("text"), TEXT_LIMIT) for part in parts if "content" in part)
    diffs = tuple(part for part in parts if part.get("type") == "diff")
    printed = mapping(meta.get("terminal_output_delta")).get("data")
    return replace(
        call,
        tool=field(mapping(meta.get("claudeCode")).get("toolName"), 200) or call.tool,
        kind=field(line.get("kind"), 100) or call.kind,
        title=field(line.get("title")) or call.title,
        status=field(line.get("status"), 100) or call.status,
        given=line.get("rawInput") or call.given,
        output=line.get("rawOutput") or call.output,
        texts=texts if isinstance(content, list) else call.texts,
        diffs=diffs or call.diffs,
        path=_path(line, diffs) or call.path,
        printed=(call.printed + printed)[-TEXT_LIMIT:] if isinstance(printed, str) else call.printed,
        exit_code=_exit_code(line, meta) if call.exit_code is None else call.exit_code,
    )


def _path(line: Line, diffs: tuple[Line, ...]) -> str:
    if line.get("kind") == "execute":
        return ""
    locations, given = line.get("locations"), mapping(line.get("rawInput"))
    places = [mapping(place).get("path") for place in locations] if isinstance(locations, list) else []
    found = [diff.get("path") for diff in diffs] + places + [given.get(name) for name in _PATHS]
    return next((field(path) for path in found if field(path)), "")


def _exit_code(line: Line, meta: Line) -> int | None:
    output = mapping(line.get("rawOutput"))
    told = (
        mapping(meta.get("terminal_exit")).get("exit_code"),
        mapping(output.get("metadata")).get("exit"),
        output.get("exit_code"),
        output.get("exitCode"),
    )
    return next((code for code in map(exit_code, told) if code is not None), None)


def _called(call: _Call) -> Event:
    return Event(
        EventKind.TOOL_CALL,
        tool=call.tool or call.kind or "other",
        call_id=call.id,
        command=call.command,
        path=call.path or None,
        data={"title": call.title, "input": data(call.given), **_diffs(call)},
    )


def _denied(call: _Call, why: str) -> Event:
    return Event(
        EventKind.DENIAL,
        bounded(why),
        tool=call.tool or call.kind or "other",
        call_id=call.id or None,
        command=call.command,
        path=call.path or None,
    )


def _returned(call: _Call, took: float) -> Event:
    text, code = call.text, call.exit_code
    found = _EXIT_CODE.match(text)
    if found and code is None and call.kind == "execute":
        code = int(found.group(1))
    is_error = call.status == "failed" or bool(code)
    return Event(
        EventKind.TOOL_RESULT,
        bounded(text, TEXT_LIMIT),
        tool=call.tool or call.kind or "other",
        call_id=call.id,
        command=call.command,
        exit_code=code,
        path=call.path or None,
        duration_s=took,
        data={"title": call.title, **_diffs(call), **cut(text, TEXT_LIMIT)},
        **error(is_error, text[found.end() if found else 0 :] or text),
    )


def _diffs(call: _Call) -> dict[str, Any]:
    return {"diffs": [data(diff) for diff in call.diffs]} if call.diffs else {}


def _plan(line: Line) -> Event:
    entries = line.get("entries")
    steps = [mapping(entry) for entry in entries] if isinstance(entries, list) else []
    text = "\n".join(f"{field(step.get('status'), 100)}: {field(step.get('content'))}" for step in steps)
    return Event(EventKind.SYSTEM, bounded(text), data={"subtype": "plan", "entries": data(steps)})
