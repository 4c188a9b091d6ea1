"""Codex's own words -> events and tokens: the items of `codex exec --json`, its errors, its usage. It never raises."""

from __future__ import annotations

import re
import shlex
import time
from collections.abc import Callable

from loopwright.records.budget import Usage
from loopwright.records.event import Event, EventKind
from loopwright.text.amounts import count, exit_code
from loopwright.text.bounded import TEXT_LIMIT, Line, bounded, cut, data, field, forget_oldest, mapping, parse
from loopwright.text.told import error, message

SHELL, PATCH, SEARCH = "shell", "apply_patch", "web_search"
_MOST_PARTS = 1000
_RECONNECTING = re.compile(r"Reconnecting\.\.\. (?:(\d{1,6})/(\d{1,6})|[^(]*)\s*(?:\((.*)\)\s*)?$", re.DOTALL)
_SHELLS = frozenset({"sh", "bash", "zsh", "dash", "ksh", "fish"})


class Items:
    """The items of one stream. What the agent said last, and what it was denied, is kept."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.last_message = ""
        self.denied: list[str] = []
        """The tools that were refused, once for each time."""
        self._clock = clock
        self._began: dict[str, float] = {}

    def started(self, item: Line) -> list[Event] | None:
        """Take an item that begins; None where it is not known."""
        kind = item.get("type")
        if kind == "todo_list":
            return []  # it is told when it has changed
        calls = _calls(item)
        if calls is None:
            return [] if kind in ("agent_message", "reasoning", "error") else None
        self._remember(_id(item))
        return calls

    def completed(self, item: Line) -> list[Event] | None:
        """Take an item that has ended; None where it is not known."""
        match item.get("type"):
            case "agent_message" if isinstance(item.get("text"), str):
                self.last_message = field(item["text"], TEXT_LIMIT) or self.last_message
                return [message(item["text"])]
            case "reasoning" if isinstance(item.get("text"), str):
                return [message(item["text"], EventKind.THINKING)]
            case "error":
                return [message(words(item.get("message")), EventKind.SYSTEM, subtype="warning")]
            case "todo_list":
                return [_plan(item)]
        return self._ended(item)

    def _ended(self, item: Line) -> list[Event] | None:
        calls, took = _calls(item), self._took(_id(item))
        if calls is None:
            return None
        if item.get("status") == "declined":
            self.denied.append(calls[0].tool or "?")
            return [_denial(call, item) for call in calls]
        return [_result(call, item, took) for call in calls]

    def _remember(self, name: str) -> None:
        self._began[name] = self._clock()
        forget_oldest(self._began)

    def _took(self, name: str) -> float | None:
        began = self._began.pop(name, None)
        return None if began is None else round(self._clock() - began, 6)


def usage_of(value: object) -> Usage:
    """Read Codex's count, in which the tokens of a cache are input, too; here each is counted once."""
    told = mapping(value)
    whole, read, written = (count(told.get(f"{name}input_tokens")) for name in ("", "cached_", "cache_write_"))
    return Usage(max(0, whole - read - written), count(told.get("output_tokens")), read, written)


def retry(said: str) -> Event | None:
    """Read a line about reconnecting, which is not the end; None where it is about something else."""
    if not (found := _RECONNECTING.match(said)):
        return None
    attempt, limit, why = found.groups()
    told = {"attempt": int(attempt), "max_retries": int(limit)} if attempt else {}
    return Event(EventKind.RETRY, bounded(said), data={**told, "error": bounded(words(why or ""))})


def words(said: object) -> str:
    """Give an error's own words, also where they are packed in JSON as the model's server sent it."""
    text = field(said)
    try:
        packed = mapping(parse(text))
    except ValueError:
        return text
    return field(mapping(packed.get("error")).get("message")) or field(packed.get("detail")) or text


def inner(command: str) -> str:
    """Give the command that the model wrote, without the shell that Codex puts around it."""
    try:
        parts = shlex.split(command)
    except ValueError:
        return command
    around = len(parts) == 3 and parts[0].rpartition("/")[2] in _SHELLS and parts[1] in ("-c", "-lc")
    return parts[2] if around else command


def _calls(item: Line) -> list[Event] | None:
    """Give the calls that an item of a tool stands for, one for each path of a patch; None where it is of no tool."""
    name = _id(item) or None
    match item.get("type"):
        case "command_execution":
            whole = field(item.get("command"))
            return [_call(SHELL, name, {"command": whole}, command=inner(whole) or None)]
        case "file_change":
            return _changes(item, name)
        case "mcp_tool_call":
            tool = f"{field(item.get('server'), 200)}.{field(item.get('tool'), 200)}"
            return [_call(tool, name, data(item.get("arguments")))]
        case "collab_tool_call":
            given = {"prompt": data(item.get("prompt")), "threads": data(item.get("receiver_thread_ids"))}
            return [_call(field(item.get("tool"), 200) or "collab", name, given)]
        case "web_search":
            return [_call(SEARCH, name, {"query": field(item.get("query"))})]
    return None


def _changes(item: Line, name: str | None) -> list[Event]:
    changes = item.get("changes")
    each = [mapping(change) for change in changes[:_MOST_PARTS]] if isinstance(changes, list) else []
    return [
        _call(PATCH, f"{name}/{number}" if number else name, {"kind": data(change.get("kind"))}, path=_path(change))
        for number, change in enumerate(each)
    ] or [_call(PATCH, name, {})]


def _path(change: Line) -> str | None:
    return field(change.get("path")) or None


def _call(tool: str, name: str | None, given: object, *, command: str | None = None, path: str | None = None) -> Event:
    return Event(EventKind.TOOL_CALL, tool=tool, call_id=name, command=command, path=path, data={"input": given})


def _result(call: Event, item: Line, took: float | None) -> Event:
    text, code = _output(item), exit_code(item.get("exit_code"))
    failed = item.get("status") == "failed" or bool(code)
    return Event(
        EventKind.TOOL_RESULT,
        bounded(text, TEXT_LIMIT),
        tool=call.tool,
        call_id=call.call_id,
        command=call.command,
        exit_code=code,
        path=call.path,
        duration_s=took,
        data=cut(text, TEXT_LIMIT) | ({"kind": call.data["input"].get("kind")} if call.tool == PATCH else {}),
        **error(failed, text or f"exit code {code}"),
    )


def _denial(call: Event, item: Line) -> Event:
    return Event(
        EventKind.DENIAL,
        bounded(_output(item)) or "declined",
        tool=call.tool,
        call_id=call.call_id,
        command=call.command,
        path=call.path,
    )


def _output(item: Line) -> str:
    if isinstance(text := item.get("aggregated_output"), str):
        return text
    error = field(mapping(item.get("error")).get("message"), TEXT_LIMIT)
    content = mapping(item.get("result")).get("content")
    parts = [mapping(part).get("text") for part in content] if isinstance(content, list) else []
    return error or "\n".join(part for part in parts if isinstance(part, str))


def _plan(item: Line) -> Event:
    steps = item.get("items")
    each = [mapping(step) for step in steps[:_MOST_PARTS]] if isinstance(steps, list) else []
    lines = [f"[{'x' if step.get('completed') is True else ' '}] {field(step.get('text'))}" for step in each]
    return message("\n".join(lines), EventKind.SYSTEM, subtype="plan")


def _id(item: Line) -> str:
    return field(item.get("id"), 200)
