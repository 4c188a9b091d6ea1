"""Copilot CLI's tool calls, what became of them, and who said no -> events."""

from __future__ import annotations

from loopwright.ingest.seen import Seen
from loopwright.records.event import Event, EventKind
from loopwright.text.amounts import exit_code, moment
from loopwright.text.bounded import Line, bounded, field, items, mapping
from loopwright.text.open_calls import Call, OpenCalls, called, event_of
from loopwright.text.tool_calls import identity

_SHELLS = frozenset({"bash", "powershell", "shell", "local_shell"})
_PATHS = ("path", "file_path", "filePath")
_EXITED = " with exit code "
"""As in `<exited with exit code 1>`, with which the text of a command ends."""
_BY_USER = "denied-interactively-by-user"
_REFUSED = {"rejected": EventKind.REJECTION, "denied": EventKind.DENIAL}


class Tools:
    """The calls of one session that wait for their result."""

    def __init__(self) -> None:
        self.at = ""
        self.parent: str | None = None
        self._called, self._returned = Seen(), Seen()
        self._refused: set[str] = set()
        self._calls = OpenCalls()
        self._wanted: dict[str, str] = {}
        """Questions to the user -> the calls that they are about."""

    def called(self, told: Line) -> list[Event]:
        """Take a call: the message that asks for it has it, and the line that says that it begins."""
        name, given = identity(told.get("toolCallId")), told.get("arguments")
        call = self._read(told, given, self._calls.of(name))
        event = self._calls.opened(name, call, given, self.at, self.parent)
        return [event] if name is None or self._called.is_new(name) else []

    def returned(self, told: Line) -> list[Event]:
        """Take the result of a call."""
        name = identity(told.get("toolCallId"))
        if name is not None and not self._returned.is_new(name):
            return []
        error = mapping(told.get("error"))
        text, kind = _text(told, error), _REFUSED.get(field(error.get("code"), 100))
        refusal = [self._refusal(kind, name, bounded(text))] if kind and name not in self._refused else []
        return [self._result(told, name, text), *refusal]

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
        return [self._refusal(refusal, name, kind)]

    def _read(self, told: Line, given: object, before: Call) -> Call:
        """Read a call; it takes as long as it runs, and not as long as somebody is asked whether it may."""
        tool = field(told.get("toolName") or told.get("name"), 200)
        call = called(tool, mapping(given), _SHELLS, _PATHS, moment(self.at))
        return Call(call.tool or before.tool, call.command or before.command, call.path or before.path, call.began)

    def _result(self, told: Line, name: str | None, text: str) -> Event:
        code = _exit_code(told, text)
        return self._calls.closed(
            *(name, text),
            is_error=told.get("success") is False or bool(code),
            exit_code=code,
            ended=moment(self.at),
            at=self.at,
            parent=self.parent,
        )

    def _refusal(self, kind: EventKind, name: str | None, text: str) -> Event:
        call = self._calls.of(name)
        return event_of(kind, call, name, text=text, parent_call_id=self.parent, at=self.at)


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
