"""Claude Code's tool_use and tool_result blocks -> events, each result joined to its call."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from loopwright.records.event import Event, EventKind
from loopwright.text.amounts import elapsed, moment
from loopwright.text.bounded import TEXT_LIMIT, Line, bounded, cut, data, field, forget_oldest, mapping
from loopwright.text.told import error

SHELLS = frozenset({"Bash", "PowerShell"})
FILES = frozenset({"Read", "Write", "Edit", "MultiEdit", "NotebookEdit"})
EXIT_CODE = re.compile(r"\s*(?:Error: )?Exit code (\d{1,9})\b\s*")
_ERROR_TAG = re.compile(r"</?tool_use_error>")


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

    def called(self, block: Line, line: Line) -> Event | None:
        """Take a tool_use block; None where it names no tool."""
        if not isinstance(block.get("name"), str):
            return None
        call_id, given = identity(block.get("id")), mapping(block.get("input"))
        call = _read_call(field(block["name"]), given, moment(line.get("timestamp")), self._clock())
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

    def returned(self, block: Line, line: Line) -> Event:
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
            duration_s=self._elapsed(call, line),
            data=cut(text, TEXT_LIMIT) | _not_run(call_id, line),
            **error(is_error, bare(text)),
        )

    def denied(self, line: Line) -> Event:
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
        if call_id is not None:
            self._open[call_id] = call
            forget_oldest(self._open)

    def _elapsed(self, call: _Call, line: Line) -> float | None:
        took = elapsed(call.said_at, moment(line.get("timestamp")))
        if took is None and call.fed_at is not None:  # the agent's clock may have been set back; ours can't be
            return self._clock() - call.fed_at
        return took


def identity(value: object) -> str | None:
    """Read an id; None where there is none."""
    return field(value, 200) or None


def _read_call(tool: str, given: Line, said_at: float | None, fed_at: float) -> _Call:
    command = field(given.get("command")) if tool in SHELLS else ""
    path = field(given.get("file_path")) or field(given.get("notebook_path")) if tool in FILES else ""
    background = given.get("run_in_background") is True
    return _Call(tool, command or None, path or None, background, said_at, fed_at)


def _exit_code(call: _Call, text: str, is_error: bool, line: Line) -> int | None:
    if call.tool not in SHELLS:
        return None
    if is_error:
        found = EXIT_CODE.match(text)
        return int(found.group(1)) if found else None
    told = mapping(line.get("tool_use_result") or line.get("toolUseResult"))
    # A command that still runs has none; one that is interpreted ("No matches found") was not 0.
    unknown = ("backgroundTaskId", "interrupted", "returnCodeInterpretation")
    return None if call.in_background or any(told.get(name) for name in unknown) else 0


def bare(text: str) -> str:
    """Leave off what is around an error: what a command said tells more than that it failed."""
    words = _ERROR_TAG.sub("", bounded(text))
    failed = EXIT_CODE.match(words)
    return (words[failed.end() :] if failed else words) or words


def _not_run(call_id: str | None, line: Line) -> dict[str, str]:
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
