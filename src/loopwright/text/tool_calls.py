"""Claude Code's tool_use and tool_result blocks -> events, each result joined to its call."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from loopwright.records.event import Event, EventKind
from loopwright.text.bounded import TEXT_LIMIT, bounded, cut, data, field, mapping
from loopwright.text.fingerprint import fingerprint

SHELLS = frozenset({"Bash", "PowerShell"})
FILES = frozenset({"Read", "Write", "Edit", "MultiEdit", "NotebookEdit"})
EXIT_CODE = re.compile(r"\s*(?:Error: )?Exit code (\d{1,9})\b\s*")
_ERROR_TAG = re.compile(r"</?tool_use_error>")
_MOST_OPEN = 1000


@dataclass(frozen=True)
class _Call:
    tool: str | None = None
    command: str | None = None
    path: str | None = None
    in_background: bool = False
    said_at: float | None = None
    fed_at: float | None = None


_NO_CALL = _Call()


class ToolCalls:
    """The calls of one stream that wait for their result. A block comes with the line that it stood in."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._open: dict[str, _Call] = {}

    def called(self, block: Mapping[str, Any], line: Mapping[str, Any]) -> Event | None:
        """Take a tool_use block; None where it names no tool."""
        if not isinstance(block.get("name"), str):
            return None
        call_id, given = identity(block.get("id")), mapping(block.get("input"))
        call = _read_call(field(block["name"]), given, _moment(line), self._clock())
        self._remember(call_id, call)
        return Event(
            EventKind.TOOL_CALL,
            tool=call.tool,
            call_id=call_id,
            parent_call_id=identity(line.get("parent_tool_use_id")),
            command=call.command,
            path=call.path,
            data={"input": data(given)},
        )

    def returned(self, block: Mapping[str, Any], line: Mapping[str, Any]) -> Event:
        """Take a tool_result block."""
        call_id = identity(block.get("tool_use_id"))
        call = self._open.pop(call_id or "", _NO_CALL)
        text, is_error = content_of(block.get("content")), block.get("is_error") is True
        return Event(
            EventKind.TOOL_RESULT,
            bounded(text, TEXT_LIMIT),
            tool=call.tool,
            call_id=call_id,
            parent_call_id=identity(line.get("parent_tool_use_id")),
            command=call.command,
            exit_code=_exit_code(call, text, is_error, line),
            path=call.path,
            is_error=is_error,
            error_kind="PARSED_ERROR" if is_error else None,
            fingerprint=fingerprint_of(text) if is_error else None,
            duration_s=self._elapsed(call, line),
            data=cut(text, TEXT_LIMIT) | _not_run(call_id, line),
        )

    def denied(self, line: Mapping[str, Any]) -> Event:
        """Take a permission_denied line. The call's result still comes, as an error."""
        call_id = identity(line.get("tool_use_id"))
        call = self._open.get(call_id or "", _NO_CALL)
        return Event(
            EventKind.DENIAL,
            field(line.get("message")),
            tool=field(line.get("tool_name")) or call.tool,
            call_id=call_id,
            parent_call_id=identity(line.get("parent_tool_use_id")),
            command=call.command,
            path=call.path,
            data={"reason": field(line.get("decision_reason_type"))},
        )

    def _remember(self, call_id: str | None, call: _Call) -> None:
        if call_id is None:
            return
        self._open[call_id] = call
        if len(self._open) > _MOST_OPEN:
            del self._open[next(iter(self._open))]

    def _elapsed(self, call: _Call, line: Mapping[str, Any]) -> float | None:
        ended_at = _moment(line)
        # The agent's clock may have been set back in between; ours can't be.
        if call.said_at is not None and ended_at is not None and ended_at >= call.said_at:
            return round(ended_at - call.said_at, 6)
        return None if call.fed_at is None else self._clock() - call.fed_at


def identity(value: object) -> str | None:
    """Read an id; None where there is none."""
    return field(value, 200) or None


def _read_call(tool: str, given: Mapping[str, Any], said_at: float | None, fed_at: float) -> _Call:
    command = field(given.get("command")) if tool in SHELLS else ""
    path = field(given.get("file_path")) or field(given.get("notebook_path")) if tool in FILES else ""
    background = given.get("run_in_background") is True
    return _Call(tool, command or None, path or None, background, said_at, fed_at)


def _exit_code(call: _Call, text: str, is_error: bool, line: Mapping[str, Any]) -> int | None:
    if call.tool not in SHELLS:
        return None
    if is_error:
        found = EXIT_CODE.match(text)
        return int(found.group(1)) if found else None
    told = mapping(line.get("tool_use_result") or line.get("toolUseResult"))
    # A command that still runs has none; one that is interpreted ("No matches found") was not 0.
    unknown = ("backgroundTaskId", "interrupted", "returnCodeInterpretation")
    return None if call.in_background or any(told.get(name) for name in unknown) else 0


def fingerprint_of(text: str) -> str:
    """Give the fingerprint of what a tool said when it failed."""
    bare = _ERROR_TAG.sub("", bounded(text))
    failed = EXIT_CODE.match(bare)
    # What a command said tells more than that it failed.
    return fingerprint((bare[failed.end() :] if failed else bare) or bare)


def _not_run(call_id: str | None, line: Mapping[str, Any]) -> dict[str, Any]:
    metas = line.get("tool_result_meta")
    for meta in metas if isinstance(metas, list) else ():
        kind = field(mapping(meta).get("non_execution_kind"))
        if kind and mapping(meta).get("id") == call_id:
            return {"not_run": kind}
    return {}


def content_of(content: object) -> str:
    """Give the text of a result; what is no text is named."""
    if isinstance(content, str):
        return content
    parts = [mapping(part) for part in content] if isinstance(content, list) else []
    texts = [part.get("text") for part in parts]
    return "\n".join(
        text if isinstance(text, str) else f"[{field(part.get('type'), 100)}]"
        for text, part in zip(texts, parts, strict=True)
    )


def _moment(line: Mapping[str, Any]) -> float | None:
    try:
        moment = datetime.fromisoformat(field(line.get("timestamp"), 100))
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return None
