"""Copilot CLI's tool calls, what became of them, and who said no -> events."""

from __future__ import annotations

from typing import Any

from loopwright.records.event import Event, EventKind
from loopwright.text.amounts import elapsed, exit_code, moment
from loopwright.text.bounded import TEXT_LIMIT, Line, bounded, cut, data, field, forget_oldest, items, mapping
from loopwright.text.open_calls import Call, called
from loopwright.text.told import error
from loopwright.text.tool_calls import identity

_SHELLS = frozenset({"bash", "powershell", "shell", "local_shell"})
_PATHS = ("path", "file_path", "filePath")
_EXITED = " with exit code "
"""As in `<exited with exit code 1>`, with which the text of a command ends."""
_BY_USER = "denied-interactively-by-user"
_REFUSED = {"rejected": EventKind.REJECTION, "denied": EventKind.DENIAL}
_NO_CALL = Call()


class Tools:
    """The calls of one session that wait for their result."""

    def __init__(self) -> None:
        self.at = ""
        self.parent: str | None = None
        self._called: set[str] = set()
        self._returned: set[str] = set()
        self._refused: set[str] = set()
        self._open: dict[str, Call] = {}
        self._wanted: dict[str, str] = {}
        """Questions to the user -> the calls that they are about."""

    def called(self, told: Line) -> list[Event]:
        """Take a call: the message that asks for it has it, and the line that says that it begins."""
        name, given = identity(told.get("toolCallId")), told.get("arguments")
        call = self._read(told, given, self._open.get(name or "", _NO_CALL))
        if name is not None:
            is_new = name not in self._called
            self._called.add(name)
            self._open[name] = call
            forget_oldest(self._open)
            if not is_new:
                return []
        return [self._event(EventKind.TOOL_CALL, call, name, data={"input": data(given)})]

    def returned(self, told: Line) -> list[Event]:
        """Take the result of a call."""
        name = identity(told.get("toolCallId"))
        if name is not None:
            if name in self._returned:
                return []
            self._returned.add(name)
        call, error = self._open.pop(name or "", _NO_CALL), mapping(told.get("error"))
        text = _text(told, error)
        events = [self._result(told, call, name, text)]
        refusal = _REFUSED.get(field(error.get("code"), 100))
        if refusal and name not in self._refused:
            events.append(self._event(refusal, call, name, text=bounded(text)))
        return events

    def wanted(self, told: Line) -> None:
        """Take a question to the user."""
        asked, name = identity(told.get("requestId")), mapping(told.get("permissionRequest")).get("toolCallId")
        if asked and (call := identity(name)):
            self._wanted[asked] = call

    def decided(self, told: Line) -> list[Event]:
        """Take the answer to such a question."""
        kind = field(mapping(told.get("result")).get("kind"), 200)
        name = identity(told.get("toolCallId")) or self._wanted.pop(field(told.get("requestId"), 200), None)
        if not kind.startswith("denied"):
            return []
        self._refused.add(name or "")
        refusal = EventKind.REJECTION if kind == _BY_USER else EventKind.DENIAL
        return [self._event(refusal, self._open.get(name or "", _NO_CALL), name, text=kind)]

    def _read(self, told: Line, given: object, before: Call) -> Call:
        """Read a call; it takes as long as it runs, and not as long as somebody is asked whether it may."""
        tool = field(told.get("toolName") or told.get("name"), 200)
        call = called(tool, mapping(given), _SHELLS, _PATHS, moment(self.at) if self.at else None)
        return Call(call.tool or before.tool, call.command or before.command, call.path or before.path, call.began)

    def _result(self, told: Line, call: Call, name: str | None, text: str) -> Event:
        code = _exit_code(told, text)
        failed = told.get("success") is False or bool(code)
        return self._event(
            EventKind.TOOL_RESULT,
            call,
            name,
            text=bounded(text, TEXT_LIMIT),
            exit_code=code,
            duration_s=elapsed(call.began, moment(self.at)) if self.at else None,
            data=cut(text, TEXT_LIMIT),
            **error(failed, text),
        )

    def _event(self, kind: EventKind, call: Call, name: str | None, **told: Any) -> Event:
        return Event(
            kind,
            tool=call.tool,
            call_id=name,
            parent_call_id=self.parent,
            command=call.command,
            path=call.path,
            at=self.at,
            **told,
        )


def _text(told: Line, error: Line) -> str:
    result = told.get("result")
    if isinstance(result, str):
        return result
    whole = mapping(result)
    for value in (whole.get("content"), whole.get("detailedContent"), error.get("message"), told.get("error")):
        if isinstance(value, str):
            return value
    return ""


def _exit_code(told: Line, text: str) -> int | None:
    """Find how a command ended: in a field of its own, in a part of the result, or where the text ends."""
    own = exit_code(mapping(told.get("shellExecution")).get("exitCode"))
    if own is not None:
        return own
    for part in items(mapping(told.get("result")).get("contents")):
        if (code := exit_code(mapping(part).get("exitCode"))) is not None:
            return code
    head, found, rest = text[-60:].rstrip().rpartition(_EXITED)
    word = rest.removesuffix(">")
    is_told = found and rest.endswith(">") and "<" in head and len(word) < 10
    return int(word) if is_told and word.isascii() and word.isdecimal() else None
